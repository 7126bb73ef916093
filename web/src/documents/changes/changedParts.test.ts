import { describe, expect, it } from 'vitest';
import { collapseUnchanged } from './changedParts';
import { compare, type Row } from './compare';

const collapse = (rows: readonly Row[]) => collapseUnchanged(rows, ({ same }) => same, 3, 4);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

function rowsBetween(before: readonly string[], after: readonly string[]): readonly Row[] {
  const comparison = compare(before.join(''), after.join(''));
  if (comparison.kind !== 'rows') throw new Error(comparison.kind);
  return comparison.rows;
}

describe('collapsing unchanged lines', () => {
  const segmentsAfterChanges = (count: number, ...lines: number[]) => {
    const before = numbered(count);
    const after = before.map((line, index) =>
      lines.includes(index + 1) ? `${line.trim()} changed\n` : line,
    );
    return collapse(rowsBetween(before, after)).map(({ start, collapsed, items }) => [
      start + 1,
      start + items.length,
      collapsed ? 'collapsed' : 'shown',
    ]);
  };

  it.each([
    [
      'shows three lines around a change',
      20,
      [10],
      [
        [1, 6, 'collapsed'],
        [7, 13, 'shown'],
        [14, 20, 'collapsed'],
      ],
    ],
    [
      'at the beginning',
      20,
      [1],
      [
        [1, 4, 'shown'],
        [5, 20, 'collapsed'],
      ],
    ],
    [
      'at the end',
      20,
      [20],
      [
        [1, 16, 'collapsed'],
        [17, 20, 'shown'],
      ],
    ],
    [
      'joins changes that are close together',
      30,
      [10, 20],
      [
        [1, 6, 'collapsed'],
        [7, 23, 'shown'],
        [24, 30, 'collapsed'],
      ],
    ],
    [
      'collapses between changes that are not',
      30,
      [10, 21],
      [
        [1, 6, 'collapsed'],
        [7, 13, 'shown'],
        [14, 17, 'collapsed'],
        [18, 24, 'shown'],
        [25, 30, 'collapsed'],
      ],
    ],
    ['does not collapse fewer than four lines', 13, [7], [[1, 13, 'shown']]],
    ['shows all of a new text', 2, [1, 2], [[1, 2, 'shown']]],
  ] as const)('%s', (_, count, lines, expected) =>
    expect(segmentsAfterChanges(count, ...lines)).toEqual(expected),
  );

  it('keeps every row', () => {
    const rows = rowsBetween(numbered(50), numbered(40));
    expect(collapse(rows).flatMap((segment) => segment.items)).toEqual(rows);
  });
});

it('shows the heading above a change, once, whatever lies between', () => {
  // Capitals are headings, `!` is a change.
  const segments = (items: string) =>
    collapseUnchanged(
      [...items],
      (item) => item !== '!',
      1,
      2,
      (item) => item === item.toUpperCase() && item !== '!',
    ).map(({ collapsed, items }) => (collapsed ? items.length : items.join('')));
  expect(segments('abAcdef!gh!iB')).toEqual([2, 'A', 3, 'f!gh!iB']);
  expect(segments('AbcdBe!f')).toEqual([4, 'Be!f']);
  expect(segments('Abc!dBefgh!')).toEqual(['Abc!dB', 3, 'h!']);
  expect(segments('abcd!')).toEqual([3, 'd!']);
});
