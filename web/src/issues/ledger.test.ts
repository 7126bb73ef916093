import { describe, expect, it } from 'vitest';
import { argument, counts, issue } from '@/testing/samples';
import { countOf, filtersFor, firstFilter, type IssueFilter, matches } from './issueFilter';
import { mergeIssues, severitiesIn, statusesIn } from './ledger';

describe('the ledger', () => {
  it('replaces changed issues, adds new ones, and keeps the order of numbers', () => {
    const issues = [issue({ id: 'I2' }), issue({ id: 'I10' })];
    const merged = mergeIssues(issues, [
      issue({ id: 'I11' }),
      issue({ id: 'I9' }),
      issue({ id: 'I2', status: 'fixed' }),
    ]);
    expect(merged.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'I2 fixed',
      'I9 open',
      'I10 open',
      'I11 open',
    ]);
  });
});

it('an issue has the severity of its time in each argument', () => {
  const change = (name: string, severity?: string) => ({ change: name, issue: 'I1', severity });
  const severityAt = severitiesIn([
    argument({ seq: 2, issue_changes: [change('raise', 'high')] }),
    argument({ seq: 3, issue_changes: [change('dispute')] }),
    argument({ seq: 4, issue_changes: [change('regrade', 'medium')] }),
    argument({ seq: 5 }),
  ]);
  const severities = [1, 2, 3, 4, 9].map((seq) => severityAt('I1', seq));
  expect(severities).toEqual([undefined, 'high', 'high', 'medium', 'medium']);
  expect(severityAt('I2', 3)).toBeUndefined();
});

describe('the filter', () => {
  const STATUSES = statusesIn(counts());
  const all = STATUSES.map((status, index) => issue({ id: `I${index + 1}`, status }));
  const shown = (filter: IssueFilter) =>
    all.filter((one) => matches(one, filter)).map(({ status }) => status);

  it('shows all issues, those that are not settled, or those in one status', () => {
    expect(shown('all')).toEqual(STATUSES);
    expect(shown('unsettled')).toEqual(['open', 'fixed', 'disputed']);
    for (const status of STATUSES) expect(shown(status)).toEqual([status]);
  });

  it('shows how many issues it has', () => {
    const of = counts({
      open: 1,
      fixed: 2,
      disputed: 3,
      unsettled: 6,
      resolved: 4,
      withdrawn: 5,
      dismissed: 6,
      deferred: 0,
      blocking: 7,
    });
    expect(filtersFor(of, 'all').map((filter) => countOf(of, filter))).toEqual([21, 6, 1, 2, 3, 4, 5, 6]);
    expect(filtersFor(counts({ open: 1, unsettled: 1 }), 'fixed')).toEqual([
      'all',
      'unsettled',
      'open',
      'fixed',
    ]);
  });

  it('starts with what is not settled, or with all if everything is settled', () => {
    expect(firstFilter(counts())).toBe('unsettled');
    expect(firstFilter(counts({ disputed: 1, unsettled: 1, resolved: 2 }))).toBe('unsettled');
    expect(firstFilter(counts({ resolved: 2 }))).toBe('all');
  });
});
