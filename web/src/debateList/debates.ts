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

/** The debates of the list in which a ruling is due, in the order of `due`, and the others, in that of the list. */
export function groupDebates(
  debates: DebateMap,
  due: readonly string[],
  listed: readonly string[],
  filtered: boolean,
) {
  // Without a filter also those that are beyond the pages that were fetched.
  const needed = filtered ? due.filter((id) => listed.includes(id)) : due;
  const others = listed.filter((id) => !due.includes(id));
  const known = (ids: readonly string[]) => ids.flatMap((id) => debates.get(id) ?? []);
  return { needed: known(needed), others: known(others) };
}

/** The ids of the debates in which a ruling is due after a live change: one that comes up has waited least. */
export function dueAfter(due: readonly string[], changed: Debate): readonly string[] {
  const listed = due.includes(changed.id);
  if (changed.ruling_request !== null) return listed ? due : [...due, changed.id];
  return listed ? due.filter((id) => id !== changed.id) : due;
}
