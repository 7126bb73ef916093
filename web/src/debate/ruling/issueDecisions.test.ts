import { describe, expect, it } from 'vitest';
import { issue, REOPENABLE, RULES } from '@/testing/samples';
import {
  changesOf,
  choicesOf,
  faultOf,
  type IssueDecisions,
  NO_DECISIONS,
  needsNote,
  unsettledAfter,
  withDecision,
  withNewIssue,
} from './issueDecisions';

const ISSUES = [
  issue({ id: 'I1', severity: 'high', blocking: true }),
  issue({ id: 'I3', status: 'disputed', referred: true }),
  issue({ id: 'I4', status: 'fixed' }),
];

const DECIDED: IssueDecisions = {
  decisions: {
    I1: { change: 'uphold', note: '  as plan 2 says ' },
    I2: { change: 'dismiss', note: '' },
    I3: { change: 'dismiss', note: ' ' },
  },
  raised: [{ key: 'new-1', severity: 'critical', title: ' No bound ', location: '' }],
};

describe('decisions on issues', () => {
  it('become the changes of the ruling, without those on issues that are not there', () => {
    expect(changesOf(DECIDED, ISSUES)).toEqual([
      { key: 'I1', change: { change: 'uphold', issue: 'I1', note: 'as plan 2 says' } },
      { key: 'I3', change: { change: 'dismiss', issue: 'I3' } },
      { key: 'new-1', change: { change: 'raise', severity: 'critical', title: 'No bound' } },
    ]);
    expect(changesOf(NO_DECISIONS, ISSUES)).toEqual([]);
  });

  it('can be taken back', () => {
    const dismissed = withDecision(NO_DECISIONS, 'I1', { change: 'dismiss', note: '' });
    expect(dismissed.decisions).toEqual({ I1: { change: 'dismiss', note: '' } });
    expect(withDecision(dismissed, 'I1', null)).toEqual(NO_DECISIONS);
  });

  it('give each new issue a key of its own', () => {
    const two = withNewIssue(withNewIssue(NO_DECISIONS));
    const three = withNewIssue({ ...two, raised: two.raised.slice(1) });
    expect(three.raised.map(({ key }) => key)).toEqual(['new-2', 'new-3']);
  });

  it('leave so many issues not settled', () => {
    expect(unsettledAfter(ISSUES, [], RULES)).toHaveLength(3);
    expect(unsettledAfter(ISSUES, changesOf(DECIDED, ISSUES), RULES)).toHaveLength(3);
    const { decisions } = withDecision(DECIDED, 'I4', { change: 'defer', note: 'Later.' });
    expect(unsettledAfter(ISSUES, changesOf({ decisions, raised: [] }, ISSUES), RULES)).toHaveLength(1);
  });

  it('regrade to the next lower severity unless another is chosen', () => {
    const regraded = withDecision(NO_DECISIONS, 'I1', { change: 'regrade', note: '' });
    const change = { change: 'regrade', issue: 'I1' };
    expect(changesOf(regraded, ISSUES)[0]?.change).toEqual({ ...change, severity: 'medium' });
    const low = withDecision(NO_DECISIONS, 'I1', { change: 'regrade', note: '', severity: 'low' });
    expect(changesOf(low, ISSUES)[0]?.change).toEqual({ ...change, severity: 'low' });
  });

  it('open again only what the server says may be', () => {
    const deferred = issue({ id: 'I5', status: 'deferred', deferred_by: 'opponent', may: REOPENABLE });
    const reopened = withDecision(NO_DECISIONS, 'I5', { change: 'reopen', note: 'Now.' });
    const changes = changesOf(reopened, [...ISSUES, deferred]);
    expect(changes[0]?.change).toEqual({ change: 'reopen', issue: 'I5', note: 'Now.' });
    expect(unsettledAfter([...ISSUES, deferred], [], RULES)).toHaveLength(3);
    expect(unsettledAfter([...ISSUES, deferred], changes, RULES)).toHaveLength(4);
    expect(changesOf(withDecision(NO_DECISIONS, 'I1', { change: 'reopen', note: '' }), ISSUES)).toEqual([]);
  });
});

it('offers what the server says may become of an issue, and asks for a note where it says so', () => {
  expect(choicesOf(issue())).toEqual(['uphold', 'dismiss', 'defer', 'regrade']);
  expect(choicesOf(issue({ may: REOPENABLE }))).toEqual(['reopen']);
  expect(choicesOf(issue({ may: { ...REOPENABLE, arbitrator: ['later'] } }))).toEqual([]);
  expect(['defer', 'uphold', 'later'].map((change) => needsNote(change, RULES))).toEqual([
    true,
    false,
    false,
  ]);
});

it('shows a refusal at the change that the server names', () => {
  const sent = changesOf(DECIDED, ISSUES);
  const failure = (field?: string) => ({ code: 'INVALID_INPUT', message: 'no', ...(field && { field }) });
  expect(faultOf(failure('issue_changes[1]'), sent)?.key).toBe('I3');
  expect(faultOf(failure('issue_changes[2].title'), sent)?.key).toBe('new-1');
  for (const field of [undefined, 'content', 'issue_changes', 'issue_changes[9]']) {
    expect(faultOf(failure(field), sent)).toBeNull();
  }
});
