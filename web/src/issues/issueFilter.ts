import type { Issue, IssueCounts, IssueStatus } from '@/api/types';
import { countAll, countUnsettled, isSettled, STATUSES } from './ledger';

export type IssueFilter = 'all' | 'unsettled' | IssueStatus;

export const FILTERS: readonly IssueFilter[] = ['all', 'unsettled', ...STATUSES];

export function matches(issue: Issue, filter: IssueFilter): boolean {
  if (filter === 'all') return true;
  return filter === 'unsettled' ? !isSettled(issue) : issue.status === filter;
}

export function countOf(counts: IssueCounts, filter: IssueFilter): number {
  if (filter === 'all') return countAll(counts);
  return filter === 'unsettled' ? countUnsettled(counts) : counts[filter];
}

/** What is shown first: the issues that are not settled, or all if every issue is settled. */
export function firstFilter(counts: IssueCounts): IssueFilter {
  return countAll(counts) > 0 && countUnsettled(counts) === 0 ? 'all' : 'unsettled';
}
