import { describe, expect, it } from 'vitest';
import { type Comparison, compare, type Row } from './compare';
import { stretches } from './fold';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

function rowsOf(comparison: Comparison): readonly Row[] {
  if (comparison.kind !== 'rows') throw new Error(comparison.kind);
  return comparison.rows;
}

const sides = ({ left, right }: Row) => [left?.number ?? null, right?.number ?? null];

describe('two versions', () => {
  it('that are the same are', () => {
    expect(compare('a\nb', 'a\nb')).toEqual({ kind: 'same' });
    expect(compare('', '')).toEqual({ kind: 'same' });
  });

  it('give back both texts, whatever changed', () => {
    const texts = ['', 'a', 'a\n', 'a\r\n', '\n\n', 'a\nb\nc\n', 'c\nb\na', 'x\na\nb\n\n😀\nc', 'Đặt tên\n'];
    for (const before of texts) {
      for (const after of texts.filter((text) => text !== before)) {
        const rows = rowsOf(compare(before, after));
        expect(rows.map(({ left }) => left?.text ?? '').join('')).toBe(before);
        expect(rows.map(({ right }) => right?.text ?? '').join('')).toBe(after);
        const numbers = rows.flatMap(({ right }) => right?.number ?? []);
        expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      }
    }
  });

  it('stand beside each other where one took the place of the other', () => {
    const comparison = compare('same\nold plan\nend\n', 'same\nnew plan\nmore\nend\n');
    expect(comparison).toMatchObject({ added: 2, removed: 1 });
    expect(rowsOf(comparison).map(sides)).toEqual([
      [1, 1],
      [2, 2],
      [null, 3],
      [3, 4],
    ]);
  });

  it('show which words of a line changed', () => {
    const [row] = rowsOf(compare('We wait for 60 seconds.\n', 'We wait for 90 seconds.\n'));
    const changed = (line: Row['left']) =>
      line?.parts?.filter((part) => part.changed).map(({ text }) => text);
    expect(changed(row?.left ?? null)).toEqual(['60']);
    expect(changed(row?.right ?? null)).toEqual(['90']);
    expect(row?.left?.parts?.map(({ text }) => text).join('')).toBe('We wait for 60 seconds.\n');
  });

  it('with nothing in common in a line are shown as two lines', () => {
    const [row] = rowsOf(compare('abc def\n', 'uvw xyz\n'));
    expect(row).toMatchObject({ same: false, left: { parts: null }, right: { parts: null } });
  });

  it('that are too long say so', () => {
    expect(compare('\n'.repeat(100_001), '')).toEqual({ kind: 'tooMuch' });
  });

  it('of a megabyte are compared in time', () => {
    const before = Array.from({ length: 15_000 }, (_, index) => `${index} ${'word '.repeat(13)}\n`);
    const after = before.map((line, index) => (index % 100 === 0 ? line.replace('word', 'term') : line));
    expect(compare(before.join(''), after.join(''))).toMatchObject({
      kind: 'rows',
      added: 150,
      removed: 150,
    });
  });
});

describe('folding what did not change', () => {
  const changedAt = (count: number, ...places: number[]) => {
    const before = numbered(count);
    const after = before.map((line, index) =>
      places.includes(index + 1) ? `${line.trim()} changed\n` : line,
    );
    return stretches(rowsOf(compare(before.join(''), after.join('')))).map(({ start, folded, rows }) => [
      start + 1,
      start + rows.length,
      folded ? 'folded' : 'shown',
    ]);
  };

  it.each([
    [
      'shows three lines around a change',
      20,
      [10],
      [
        [1, 6, 'folded'],
        [7, 13, 'shown'],
        [14, 20, 'folded'],
      ],
    ],
    [
      'at the beginning',
      20,
      [1],
      [
        [1, 4, 'shown'],
        [5, 20, 'folded'],
      ],
    ],
    [
      'at the end',
      20,
      [20],
      [
        [1, 16, 'folded'],
        [17, 20, 'shown'],
      ],
    ],
    [
      'joins changes that are near to each other',
      30,
      [10, 20],
      [
        [1, 6, 'folded'],
        [7, 23, 'shown'],
        [24, 30, 'folded'],
      ],
    ],
    [
      'folds between those that are not',
      30,
      [10, 21],
      [
        [1, 6, 'folded'],
        [7, 13, 'shown'],
        [14, 17, 'folded'],
        [18, 24, 'shown'],
        [25, 30, 'folded'],
      ],
    ],
    ['leaves no fold of fewer than four lines', 13, [7], [[1, 13, 'shown']]],
    ['shows all of a text that is all new', 2, [1, 2], [[1, 2, 'shown']]],
  ] as const)('%s', (_, count, places, expected) => expect(changedAt(count, ...places)).toEqual(expected));

  it('loses no row', () => {
    const rows = rowsOf(compare(numbered(50).join(''), numbered(40).join('')));
    expect(stretches(rows).flatMap((stretch) => stretch.rows)).toEqual(rows);
  });
});
