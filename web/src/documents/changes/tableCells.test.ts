import { expect, it } from 'vitest';
import { align, linesOf } from './compare';
import { alignmentsOf, cellsOf, withoutDelimiters } from './tableCells';

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

const shown = (before: string, after: string) =>
  withoutDelimiters(align(linesOf(before), linesOf(after), 1_000) ?? []).map(({ same, left, right }) => [
    same,
    left?.text.trim() ?? null,
    right?.text.trim() ?? null,
  ]);
const HEAD = '| wait | most |\n|---|:-:|\n';

it.each([
  // A row of dashes is one that is seen, on either side.
  [`${HEAD}| 30 s | 5 |\n`, `${HEAD}| - | - |\n`, [false, '| 30 s | 5 |', '| - | - |']],
  [`${HEAD}|---|:-:|\n`, `${HEAD}| 30 s | 5 |\n`, [false, '|---|:-:|', '| 30 s | 5 |']],
  // The line below the header may have changed with a row.
  [`${HEAD}| a | b |\n`, `${HEAD.replace(':-:', '---')}| a | c |\n`, [false, '| a | b |', '| a | c |']],
])('from %j to %j only the line below the header is not seen', (before, after, row) => {
  expect(shown(before, after)).toEqual([[true, '| wait | most |', '| wait | most |'], row]);
});

it('aligns the columns of each version as that says', () => {
  const rows = align(
    linesOf('| a | b | c | d |\n| :- | -: | :---: | --- |\n| 1 | 2 | 3 | 4 |\n'),
    linesOf('| a | b | c | d |\n|---|:-:|---|--:|\n| 1 | 2 | 3 | 5 |\n'),
    1_000,
  );
  expect(alignmentsOf(rows ?? [], 'left')).toEqual(['left', 'right', 'center', undefined]);
  expect(alignmentsOf(rows ?? [], 'right')).toEqual([undefined, 'center', undefined, 'right']);
  expect(alignmentsOf([], 'left')).toEqual([]);
});
