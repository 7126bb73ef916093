import { describe, expect, it } from 'vitest';
import type { IssueHistoryEntry } from '@/api/types';
import { issue } from '@/testing/samples';
import { rounds } from './IssuePlot';

const entry = (seq: number, role: string, change: string): IssueHistoryEntry => ({
  seq,
  argument_id: `argument-${seq}`,
  role,
  change,
});

/** As the server tells it. */
const settles = (change: string) => ['resolve', 'withdraw', 'dismiss', 'defer'].includes(change);

describe('rounds', () => {
  it('begin with the opponent’s arguments and end with the answers to them', () => {
    const issues = [
      issue({
        id: 'I1',
        history: [
          entry(2, 'opponent', 'raise'),
          entry(3, 'proposer', 'fix'),
          entry(4, 'opponent', 'resolve'),
        ],
      }),
      issue({
        id: 'I2',
        history: [
          entry(2, 'opponent', 'raise'),
          entry(3, 'proposer', 'dispute'),
          entry(4, 'opponent', 'reopen'),
          entry(5, 'proposer', 'refer'),
          entry(6, 'arbitrator', 'defer'),
        ],
      }),
      issue({
        id: 'I3',
        history: [
          entry(4, 'opponent', 'raise'),
          entry(8, 'opponent', 'withdraw'),
          entry(10, 'opponent', 'reopen'),
        ],
      }),
      issue({ id: 'I4', history: [entry(6, 'arbitrator', 'raise')] }),
    ];
    expect(rounds(issues, settles)).toEqual([
      { firstSeq: 2, lastSeq: 3, unsettled: 2, settled: 0 },
      { firstSeq: 4, lastSeq: 6, unsettled: 2, settled: 2 },
      { firstSeq: 8, lastSeq: 8, unsettled: 1, settled: 3 },
      { firstSeq: 10, lastSeq: 10, unsettled: 2, settled: 2 },
    ]);
  });

  it('begin with the ruling that raised the first issue, if there was no other', () => {
    const issues = [issue({ history: [entry(3, 'arbitrator', 'raise'), entry(5, 'proposer', 'fix')] })];
    expect(rounds(issues, settles)).toEqual([{ firstSeq: 3, lastSeq: 5, unsettled: 1, settled: 0 }]);
    expect(rounds([], settles)).toEqual([]);
  });
});
