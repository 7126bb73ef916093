import { describe, expect, it } from 'vitest';
import { decisive, type Entry, gapsOf, joined, waitedFor } from './waitingTimes';

const MINUTE = 60_000;
const START = Date.parse('2030-01-01T00:00:00Z');
const at = (minute: number) => new Date(START + minute * MINUTE).toISOString();

/** Entries with consecutive seqs: role, type and minute. */
function entries(...rows: readonly [string, string, number][]): Entry[] {
  return rows.map(([role, type, minute], index) => ({ seq: index + 1, role, type, created_at: at(minute) }));
}

const DEBATE = entries(
  ['proposer', 'MOTION', 0],
  ['opponent', 'CLAIM', 5],
  ['proposer', 'APPEAL', 6],
  ['arbitrator', 'RULING', 66],
  ['proposer', 'CLAIM', 70],
  ['arbitrator', 'INTERVENTION', 71],
  ['opponent', 'CLAIM', 73],
  ['arbitrator', 'RULING', 80],
);

describe('a debate waits', () => {
  it('for the side whose turn it is, and for the arbitrator until a ruling, late deliveries or not', () => {
    const gaps = gapsOf(DEBATE, false, START + 90 * MINUTE);
    expect(gaps.map(({ role, ms }) => [role, ms / MINUTE])).toEqual([
      ['opponent', 5],
      ['proposer', 1],
      ['arbitrator', 60],
      ['proposer', 4],
      ['opponent', 1],
      ['arbitrator', 2],
      ['arbitrator', 7],
      ['proposer', 10],
    ]);
    expect(gaps.at(-1)).toMatchObject({ from: 8, to: null });
    expect(waitedFor(gaps)).toEqual({ proposer: 15 * MINUTE, opponent: 6 * MINUTE, arbitrator: 69 * MINUTE });
  });

  it('for nobody once it is closed', () => {
    expect(gapsOf(DEBATE, true, START + 90 * MINUTE).at(-1)).toMatchObject({ from: 7, to: 8 });
    expect(gapsOf([], true, START)).toEqual([]);
  });

  it('never for a negative time, whatever the clock of this machine says', () => {
    expect(gapsOf(DEBATE.slice(0, 1), false, START - MINUTE)[0]?.ms).toBe(0);
  });
});

it('lists what was asked and decided', () => {
  expect(decisive(DEBATE).map(({ seq }) => seq)).toEqual([3, 4, 6, 8]);
});

it('joins neighbouring gaps if there are many, without losing time', () => {
  const gaps = gapsOf(DEBATE, false, START + 90 * MINUTE);
  const few = joined(gaps, 3);
  expect(few).toHaveLength(3);
  expect(few[0]).toEqual({ from: 1, to: 4, role: 'arbitrator', ms: 66 * MINUTE });
  expect(few.reduce((sum, { ms }) => sum + ms, 0)).toBe(90 * MINUTE);
  expect(joined(gaps, 8)).toBe(gaps);
});
