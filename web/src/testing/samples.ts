import type { Argument, Debate, Issue, IssueCounts } from '@/api/types';

const DEBATE_ID = '00000000-0000-4000-8000-000000000001';
const TIME = '2030-01-01T00:00:00Z';

export function argument(change: Partial<Argument> = {}): Argument {
  const seq = change.seq ?? 1;
  return {
    id: `argument-${seq}`,
    debate_id: DEBATE_ID,
    parent_id: seq === 1 ? null : `argument-${seq - 1}`,
    type: seq === 1 ? 'MOTION' : 'CLAIM',
    role: seq % 2 === 1 ? 'proposer' : 'opponent',
    seq,
    content: `Argument ${seq}`,
    created_at: TIME,
    ...change,
  };
}

export function debate(change: Partial<Debate> = {}): Debate {
  return {
    id: DEBATE_ID,
    title: 'A debate',
    debate_type: 'general_debate',
    state: 'AWAITING_OPPONENT',
    created_at: TIME,
    updated_at: TIME,
    last_seq: 1,
    max_rounds: null,
    rounds: 0,
    issue_counts: counts(),
    plan: null,
    ruling_request: null,
    seats: { proposer: false, opponent: false },
    ...change,
  };
}

/** What asks for a ruling. */
export function asks(
  on: string,
  change: Partial<NonNullable<Debate['ruling_request']>> = {},
): NonNullable<Debate['ruling_request']> {
  return { on, seq: 3, since: TIME, agreed: on === 'RESOLUTION', ...change };
}

export function counts(change: Partial<IssueCounts> = {}): IssueCounts {
  const counts = {
    open: 0,
    fixed: 0,
    disputed: 0,
    resolved: 0,
    withdrawn: 0,
    dismissed: 0,
    deferred: 0,
    blocking: 0,
    ...change,
  };
  return { unsettled: counts.open + counts.fixed + counts.disputed, ...counts };
}

export function issue(change: Partial<Issue> = {}): Issue {
  return {
    id: 'I1',
    severity: 'medium',
    title: 'An issue',
    location: null,
    status: 'open',
    note: null,
    raised_by: 'opponent',
    raised_seq: 2,
    changed_seq: 2,
    upheld: false,
    referred: false,
    reopened: 0,
    stalled: false,
    settled: !['open', 'fixed', 'disputed'].includes(change.status ?? 'open'),
    blocking: false,
    may: { proposer: [], opponent: [], arbitrator: ['uphold', 'dismiss', 'defer', 'regrade'] },
    ...change,
  };
}

/** What may become of an issue that a ruling may open again, and of nothing else. */
export const REOPENABLE = { proposer: [], opponent: [], arbitrator: ['reopen'] };

/** What the changes of a ruling need and do. */
export const RULES = {
  raise: { needs: ['severity', 'title'], settles: false },
  reopen: { needs: ['note'], settles: false },
  regrade: { needs: ['severity'], settles: false },
  uphold: { needs: [], settles: false },
  dismiss: { needs: [], settles: true },
  defer: { needs: ['note'], settles: true },
};

/** Arguments with consecutive seqs, both ends included. */
export function run(first: number, last: number): Argument[] {
  return Array.from({ length: last - first + 1 }, (_, index) => argument({ seq: first + index }));
}
