import type { Issue, IssueCounts } from '@/api/types';
import { countAll, statusesIn } from './ledger';

export type IssueFilter = 'all' | keyof IssueCounts;

/** All, those that are not settled, and those in each status in which there are any, or which is chosen. */
export function filtersFor(counts: IssueCounts, chosen: IssueFilter): readonly IssueFilter[] {
  const statuses = statusesIn(counts).filter((status) => counts[status] > 0 || status === chosen);
  return ['all', 'unsettled', ...statuses];
}

export function matches(issue: Issue, filter: IssueFilter): boolean {
  if (filter === 'all') return true;
  return filter === 'unsettled' ? !issue.settled : issue.status === filter;
}

export function countOf(counts: IssueCounts, filter: IssueFilter): number {
  return filter === 'all' ? countAll(counts) : counts[filter];
}

/** What is shown first: the issues that are not settled, or all if every issue is settled. */
export function firstFilter(counts: IssueCounts): IssueFilter {
  return countAll(counts) > 0 && counts.unsettled === 0 ? 'all' : 'unsettled';
}
