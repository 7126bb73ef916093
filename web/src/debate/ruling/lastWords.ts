import type { IssueHistoryEntry } from '@/api/types';

/** Why an issue was raised, and the newest change of each role that says something; oldest first. */
export function lastWords(history: readonly IssueHistoryEntry[]): readonly IssueHistoryEntry[] {
  const last = new Map<string, IssueHistoryEntry>();
  for (const entry of history) {
    if (entry.note !== undefined) last.set(entry.role, entry);
  }
  const raised = history.filter(({ change, note }) => change === 'raise' && note !== undefined);
  return [...new Set([...raised, ...last.values()])].sort((a, b) => a.seq - b.seq);
}
