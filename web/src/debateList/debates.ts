import { type Debate, needsRuling, type StateName } from '@/api/types';

export interface Filter {
  q: string;
  state: StateName | null;
}

export type DebateMap = ReadonlyMap<string, Debate>;

/** Adds or updates debates. Answers and messages may arrive out of order: an older state never replaces a newer one. */
export function mergeDebates(debates: DebateMap, changed: readonly Debate[]): DebateMap {
  const next = new Map(debates);
  for (const debate of changed) {
    const had = next.get(debate.id);
    if (had === undefined || had.last_seq <= debate.last_seq) next.set(debate.id, debate);
  }
  return next;
}

/** The same as the server's `q`: an id prefix or part of the title, ignoring the case of ASCII letters. */
export function matchesFilter(debate: Debate, { q, state }: Filter): boolean {
  if (state !== null && debate.state !== state) return false;
  const wanted = asciiLower(q.trim());
  return wanted === '' || debate.id.startsWith(wanted) || asciiLower(debate.title).includes(wanted);
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export interface Groups {
  needed: readonly Debate[];
  others: readonly Debate[];
}

/** Debates that need a ruling, and the others; the last changed first in each group. */
export function groupDebates(debates: DebateMap, filter: Filter): Groups {
  const shown = [...debates.values()].filter((debate) => matchesFilter(debate, filter)).sort(newestFirst);
  return { needed: shown.filter(needsRuling), others: shown.filter((debate) => !needsRuling(debate)) };
}

function newestFirst(a: Debate, b: Debate): number {
  return compare(b.updated_at, a.updated_at) || compare(b.created_at, a.created_at) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function countNeedingRuling(debates: DebateMap): number {
  let count = 0;
  for (const debate of debates.values()) if (needsRuling(debate)) count += 1;
  return count;
}
