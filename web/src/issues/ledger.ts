import type { Argument, Issue, IssueCounts } from '@/api/types';

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

/** Finds the severity that an issue had once an argument was written; undefined where that was given before those that are loaded. */
export function severitiesIn(args: readonly Argument[]) {
  const given = new Map<string, { seq: number; severity: string }[]>();
  for (const { seq, issue_changes = [] } of args) {
    for (const { issue, severity } of issue_changes) {
      if (severity !== undefined) given.set(issue, [...(given.get(issue) ?? []), { seq, severity }]);
    }
  }
  return (id: string, seq: number) => given.get(id)?.findLast((each) => each.seq <= seq)?.severity;
}
