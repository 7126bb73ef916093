import type { Issue, IssueCounts, IssueStatus } from '@/api/types';

export const STATUSES = [
  'open',
  'fixed',
  'disputed',
  'resolved',
  'withdrawn',
  'dismissed',
] as const satisfies readonly IssueStatus[];

const SETTLED: ReadonlySet<string> = new Set<IssueStatus>(['resolved', 'withdrawn', 'dismissed']);

export function isSettled({ status }: Issue): boolean {
  return SETTLED.has(status);
}

export function countUnsettled({ open, fixed, disputed }: IssueCounts): number {
  return open + fixed + disputed;
}

export function countAll(counts: IssueCounts): number {
  return STATUSES.reduce((sum, status) => sum + counts[status], 0);
}

/** Replaces the issues that changed and adds those that were raised, in the order of their numbers. */
export function mergeIssues(issues: readonly Issue[], changed: readonly Issue[]): readonly Issue[] {
  const all = new Map([...issues, ...changed].map((issue) => [issue.id, issue]));
  return [...all.values()].sort((a, b) => numberOf(a) - numberOf(b));
}

function numberOf({ id }: Issue): number {
  return Number(id.slice(1));
}
