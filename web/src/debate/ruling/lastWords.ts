import { type IssueHistoryEntry, SIDES } from '@/api/types';

/** What each side noted last on an issue: the proposer first. What was said before is in its history. */
export function lastWords(history: readonly IssueHistoryEntry[]): readonly IssueHistoryEntry[] {
  return SIDES.flatMap(
    (side) => history.findLast(({ role, note }) => role === side && note !== undefined) ?? [],
  );
}
