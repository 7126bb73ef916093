import { describe, expect, it } from 'vitest';
import type { Argument } from '@/api/types';
import { argument, issue, run } from '@/testing/samples';
import { hides, isFold, type Row, rowOf, rowsOf, toggled } from './folding';

const NONE = new Set<number>();

/** Seqs of arguments as numbers, folds as text. */
const shown = (rows: readonly Row[]) =>
  rows.map((row) => (isFold(row) ? `${row.open ? '-' : '+'}${row.first}-${row.last}` : row.seq));

function loaded(items: readonly Argument[], issues = [issue({ status: 'resolved' })]) {
  return { items, last: items.at(-1) as Argument, issues };
}

/** Thirty arguments, of which the 14th, an appeal, was ruled on in the 15th. */
const RULED = run(1, 30).map((item) => {
  if (item.seq === 14) return { ...item, type: 'APPEAL', role: 'proposer' };
  return item.seq === 15 ? { ...item, type: 'RULING', role: 'arbitrator' } : item;
});

describe('rounds are folded', () => {
  it('if a ruling came after them, but neither it nor what was asked', () => {
    const rows = rowsOf(loaded(RULED), NONE);
    expect(shown(rows).slice(0, 6)).toEqual([1, '+2-13', 14, 15, 16, 17]);
    expect(shown(rows).at(-1)).toBe(30);
  });

  it('if all their issues are settled', () => {
    const change = (id: string) => ({ change: 'raise', issue: id });
    const items = run(1, 30).map((item) =>
      item.seq === 6
        ? { ...item, issue_changes: [change('I2')] }
        : { ...item, issue_changes: [change('I1')] },
    );
    const settled = issue({ id: 'I1', status: 'resolved' });
    const rows = rowsOf(loaded(items, [settled, issue({ id: 'I2', status: 'disputed' })]), NONE);
    expect(shown(rows)).toEqual([1, '+2-5', 6, 7, '+8-22', 23, 24, 25, 26, 27, 28, 29, 30]);
  });

  it('not in a short debate, and not without issues or a ruling', () => {
    expect(shown(rowsOf(loaded(RULED.slice(0, 16)), NONE))).toHaveLength(16);
    expect(shown(rowsOf(loaded(run(1, 30)), NONE))).toHaveLength(30);
  });
});

describe('a fold', () => {
  it('opens for any argument in it, and closes again', () => {
    const open = rowsOf(loaded(RULED), new Set([7]));
    expect(shown(open).slice(0, 5)).toEqual([1, '-2-13', 2, 3, 4]);
    const fold = open[1];
    if (fold === undefined || !isFold(fold)) throw new Error('no fold');
    expect([...toggled(new Set([7, 20]), fold)]).toEqual([20]);
    expect([...toggled(NONE, { ...fold, open: false })]).toEqual([2]);
  });

  it('stands for the arguments that it hides', () => {
    const rows = rowsOf(loaded(RULED), NONE);
    expect(rowOf(rows, 9)).toBe(1);
    expect(hides(rows[1], 9)).toBe(true);
    expect(rowOf(rows, 14)).toBe(2);
    expect(hides(rows[2], 14)).toBe(false);
    expect(rowOf(rows, 99)).toBe(-1);
  });
});

it('has every loaded argument once', () => {
  const rows = rowsOf(loaded(RULED), new Set([2]));
  expect(rows.flatMap((row) => (isFold(row) ? [] : row.seq))).toEqual(run(1, 30).map(({ seq }) => seq));
  expect(argument().seq).toBe(1);
});
