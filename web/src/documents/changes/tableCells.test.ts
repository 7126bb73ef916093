import { expect, it } from 'vitest';
import { cellsOf, isDelimiterRow } from './tableCells';

const line = (text: string, parts: { text: string; changed: boolean }[] | null = null) => ({
  number: 1,
  text,
  parts,
});
const texts = (text: string) =>
  cellsOf(line(text)).map((cell) =>
    cell
      .map((part) => part.text)
      .join('')
      .trim(),
  );

it.each([
  ['| a | b |\n', ['a', 'b']],
  ['a | b', ['a', 'b']],
  ['| a \\| b | c |', ['a | b', 'c']],
  ['| | b |', ['', 'b']],
  ['| a | |', ['a', '']],
])('%j has these cells', (text, cells) => {
  expect(texts(text)).toEqual(cells);
});

it('keeps what changed in each cell', () => {
  const parts = [
    { text: '| 30 s', changed: false },
    { text: ' | no', changed: true },
    { text: ' |\n', changed: false },
  ];
  expect(cellsOf(line('| 30 s | no |\n', parts))).toEqual([
    [
      { text: ' 30 s', changed: false },
      { text: ' ', changed: true },
    ],
    [
      { text: ' no', changed: true },
      { text: ' ', changed: false },
    ],
  ]);
});

it('knows the line that is not seen', () => {
  expect(
    ['|---|:-:|\n', '--- | ---', '| a | b |', '| | |'].map((text) => isDelimiterRow(line(text))),
  ).toEqual([true, true, false, false]);
});
