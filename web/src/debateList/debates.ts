import type { Debate, DebateType, StateName } from '@/api/types';

export interface Filter {
  q: string;
  state: StateName | null;
  type: DebateType | null;
}

export const NO_FILTER: Filter = { q: '', state: null, type: null };

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

/** Whether it leaves anything out. */
export function isFiltered({ q, state, type }: Filter): boolean {
  return q.trim() !== '' || state !== null || type !== null;
}

/**
 * The debates in which a ruling is due, in the order of `due`, and the others, the last changed first. Of a filtered list, only what the
 * server has found, in its order.
 */
export function groupDebates(debates: DebateMap, due: readonly string[], found: readonly string[] | null) {
  const needed = found === null ? due : due.filter((id) => found.includes(id));
  const others =
    found === null
      ? [...debates.values()].toSorted(newestFirst)
      : found.flatMap((id) => debates.get(id) ?? []);
  return {
    needed: needed.flatMap((id) => debates.get(id) ?? []),
    others: others.filter(({ id }) => !due.includes(id)),
  };
}

/** The ids of the debates in which a ruling is due after a live change: one that comes up has waited least. */
export function dueAfter(due: readonly string[], changed: Debate): readonly string[] {
  const listed = due.includes(changed.id);
  if (changed.ruling_request !== null) return listed ? due : [...due, changed.id];
  return listed ? due.filter((id) => id !== changed.id) : due;
}

function newestFirst(a: Debate, b: Debate): number {
  const changed = b.updated_at.localeCompare(a.updated_at);
  return changed || b.created_at.localeCompare(a.created_at) || a.id.localeCompare(b.id);
}
