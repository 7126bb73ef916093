import { describe, expect, it } from 'vitest';
import { type Comparison, compare, type Row } from './compare';

function rowsOf(comparison: Comparison): readonly Row[] {
  if (comparison.kind !== 'rows') throw new Error(comparison.kind);
  return comparison.rows;
}

const sides = ({ left, right }: Row) => [left?.number ?? null, right?.number ?? null];

describe('comparing two texts', () => {
  it('finds that they are identical', () => {
    expect(compare('a\nb', 'a\nb')).toEqual({ kind: 'same' });
    expect(compare('', '')).toEqual({ kind: 'same' });
  });

  it('keeps both texts complete', () => {
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

  it('puts a removed line beside the one that replaced it', () => {
    const comparison = compare('same\nold plan\nend\n', 'same\nnew plan\nmore\nend\n');
    expect(comparison).toMatchObject({ added: 2, removed: 1 });
    expect(rowsOf(comparison).map(sides)).toEqual([
      [1, 1],
      [2, 2],
      [null, 3],
      [3, 4],
    ]);
  });

  it('knows what was put in between lines that only changed', () => {
    const steps = ['1. 5 % of all devices\n', '2. 25 %, three days\n', '3. 100 %\n'];
    const [first, between, last] = steps as [string, string, string];
    const without = `${first}${last.replace('3', '2')}`;
    expect(rowsOf(compare(without, steps.join(''))).map(sides)).toEqual([
      [1, 1],
      [null, 2],
      [2, 3],
    ]);
    expect(rowsOf(compare(steps.join(''), without)).map(sides)).toEqual([
      [1, 1],
      [2, null],
      [3, 2],
    ]);
    // Where nothing is alike, what came stands beside what went.
    expect(rowsOf(compare('a\n', `${between}x\n`)).map(sides)).toEqual([
      [1, 1],
      [null, 2],
    ]);
  });

  it('compares as many lines as it takes, of which few or all changed', () => {
    const text = (word: string) =>
      `${Array.from({ length: 300_000 }, (_, n) => n % 10).join('\n')}\n${word}\n`;
    expect(rowsOf(compare(text('a'), text('b'))).filter(({ same }) => !same)).toHaveLength(1);
    expect(rowsOf(compare('a\n', 'b\n'.repeat(300_000)))).toHaveLength(300_000);
  });

  it('finds the words of a line that changed', () => {
    const [row] = rowsOf(compare('We wait for 60 seconds.\n', 'We wait for 90 seconds.\n'));
    const changed = (line: Row['left']) =>
      line?.parts?.filter((part) => part.changed).map(({ text }) => text);
    expect(changed(row?.left ?? null)).toEqual(['60']);
    expect(changed(row?.right ?? null)).toEqual(['90']);
    expect(row?.left?.parts?.map(({ text }) => text).join('')).toBe('We wait for 60 seconds.\n');
  });

  it('marks words that changed beside each other as one', () => {
    const [row] = rowsOf(
      compare(
        'It is shown to a customer for a minute at most.\n',
        'It is shown until it changes for a minute at most.\n',
      ),
    );
    expect(row?.left?.parts?.filter(({ changed }) => changed)).toEqual([
      { text: 'to a customer', changed: true },
    ]);
    expect(row?.right?.parts?.filter(({ changed }) => changed)).toEqual([
      { text: 'until it changes', changed: true },
    ]);
  });

  it('does not compare words of lines that have nothing in common', () => {
    const [row] = rowsOf(compare('abc def\n', 'uvw xyz\n'));
    expect(row).toMatchObject({ same: false, left: { parts: null }, right: { parts: null } });
  });

  it('refuses texts that are too long', () => {
    expect(compare('\n'.repeat(400_001), '')).toEqual({ kind: 'tooLarge' });
  });

  it('compares a megabyte in time', () => {
    const before = Array.from({ length: 15_000 }, (_, index) => `${index} ${'word '.repeat(13)}\n`);
    const after = before.map((line, index) => (index % 100 === 0 ? line.replace('word', 'term') : line));
    expect(compare(before.join(''), after.join(''))).toMatchObject({
      kind: 'rows',
      added: 150,
      removed: 150,
    });
  });
});
