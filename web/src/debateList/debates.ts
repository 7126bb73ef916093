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

/** The same as the server's `q`: an id prefix or part of the title, ignoring the case of letters. */
export function matchesFilter(debate: Debate, { q, state, type }: Filter): boolean {
  if (state !== null && debate.state !== state) return false;
  if (type !== null && debate.debate_type !== type) return false;
  const wanted = folded(q.trim());
  return wanted === '' || debate.id.startsWith(wanted) || folded(debate.title).includes(wanted);
}

/** Letter by letter, so that `Σ` and `ς` are alike. */
function folded(text: string): string {
  return Array.from(text, (letter) => letter.toUpperCase().toLowerCase()).join('');
}

/** The debates in which a ruling is due, in the order of `due`, and the others, the last changed first. */
export function groupDebates(debates: DebateMap, due: readonly string[], filter: Filter) {
  const matching = (debate: Debate) => matchesFilter(debate, filter);
  return {
    needed: due.flatMap((id) => debates.get(id) ?? []).filter(matching),
    others: [...debates.values()]
      .filter((debate) => !due.includes(debate.id) && matching(debate))
      .sort(newestFirst),
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
