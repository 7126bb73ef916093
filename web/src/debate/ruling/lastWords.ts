import { type IssueHistoryEntry, SIDES } from '@/api/types';

/** What each side noted last on an issue: the proposer first. What was said before is in its history. */
export function lastWords(history: readonly IssueHistoryEntry[]): readonly IssueHistoryEntry[] {
  return SIDES.flatMap(
    (side) => history.findLast(({ role, note }) => role === side && note !== undefined) ?? [],
  );
}

/** What a side noted on an issue: the newest first. */
export interface SideNotes {
  role: string;
  entries: readonly IssueHistoryEntry[];
}

/** What each side noted, of those that did: the proposer first. */
export function notesBySide(history: readonly IssueHistoryEntry[]): readonly SideNotes[] {
  return SIDES.map((side) => ({
    role: side,
    entries: history.filter(({ role, note }) => role === side && note !== undefined).toReversed(),
  })).filter(({ entries }) => entries.length > 0);
}
