import { type Debate, needsRuling, type StateName } from '@/api/types';

export interface Filter {
  q: string;
  state: StateName | null;
}

export type Known = ReadonlyMap<string, Debate>;

/** Takes in debates from answers and events alike; an older picture never replaces a newer one. */
export function merged(known: Known, debates: readonly Debate[]): Known {
  const next = new Map(known);
  for (const debate of debates) {
    const had = next.get(debate.id);
    if (had === undefined || had.last_seq <= debate.last_seq) next.set(debate.id, debate);
  }
  return next;
}

/** As the contract's `q`: an id prefix or a part of the title, ASCII letters in either case. */
export function matches(debate: Debate, { q, state }: Filter): boolean {
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

/** What waits for a ruling comes first, each group newest first. */
export function grouped(known: Known, filter: Filter): Groups {
  const shown = [...known.values()].filter((debate) => matches(debate, filter)).sort(newestFirst);
  return { needed: shown.filter(needsRuling), others: shown.filter((debate) => !needsRuling(debate)) };
}

function newestFirst(a: Debate, b: Debate): number {
  return compare(b.updated_at, a.updated_at) || compare(b.created_at, a.created_at) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function countNeeded(known: Known): number {
  let count = 0;
  for (const debate of known.values()) if (needsRuling(debate)) count += 1;
  return count;
}
