import type { Issue, IssueCounts } from '@/api/types';

/** The statuses, in the order of the server. */
export function statusesIn(counts: IssueCounts): (keyof IssueCounts)[] {
  const names = Object.keys(counts) as (keyof IssueCounts)[];
  return names.filter((name) => name !== 'unsettled' && name !== 'blocking');
}

export function countAll(counts: IssueCounts): number {
  return statusesIn(counts).reduce((sum, status) => sum + counts[status], 0);
}

/** Replaces the issues that changed and adds those that were raised, in the order of their numbers. */
export function mergeIssues(issues: readonly Issue[], changed: readonly Issue[]): readonly Issue[] {
  const all = new Map([...issues, ...changed].map((issue) => [issue.id, issue]));
  return [...all.values()].sort((a, b) => numberOf(a) - numberOf(b));
}

function numberOf({ id }: Issue): number {
  return Number(id.slice(1));
}

/** The severity that an issue had once an argument was written; as it is now where its history is not known. */
export function severityAt({ severity, history = [] }: Issue, seq: number): string {
  return history.findLast((entry) => entry.seq <= seq && entry.severity !== undefined)?.severity ?? severity;
}
