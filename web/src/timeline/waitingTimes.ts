import { knownRole, type Role } from '@/api/types';

/** An argument without its text. */
export interface Entry {
  seq: number;
  type: string;
  role: string;
  created_at: string;
}

/** The time between two arguments, or from the newest one until now. */
export interface Gap {
  from: number;
  /** Null if it goes on. */
  to: number | null;
  role: Role;
  ms: number;
}

export type Waited = Readonly<Record<Role, number>>;

/** For whom the debate waited between its arguments. */
export function gapsOf(entries: readonly Entry[], closed: boolean, now: number): readonly Gap[] {
  const gaps: Gap[] = [];
  let stopped = false;
  for (const [index, entry] of entries.entries()) {
    if (entry.type === 'INTERVENTION') stopped = true;
    if (entry.type === 'RULING') stopped = false;
    const next = entries[index + 1];
    if (next === undefined && closed) break;
    const end = next === undefined ? now : Date.parse(next.created_at);
    gaps.push({
      from: entry.seq,
      to: next?.seq ?? null,
      // Until a stopped debate is ruled on it waits for the arbitrator, even after a late delivery.
      role: stopped ? 'arbitrator' : turnAfter(entry),
      ms: Math.max(0, end - Date.parse(entry.created_at)),
    });
  }
  return gaps;
}

function turnAfter({ type, role }: Entry): Role {
  if (type === 'APPEAL' || type === 'RESOLUTION') return 'arbitrator';
  if (type === 'RULING') return 'proposer';
  return knownRole(role) === 'opponent' ? 'proposer' : 'opponent';
}

export function waitedFor(gaps: readonly Gap[]): Waited {
  const waited = { proposer: 0, opponent: 0, arbitrator: 0 };
  for (const { role, ms } of gaps) waited[role] += ms;
  return waited;
}

const DECISIVE = new Set(['APPEAL', 'RESOLUTION', 'INTERVENTION', 'RULING']);

/** What was asked and decided. */
export function decisive(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ type }) => DECISIVE.has(type));
}

/** At most so many gaps: neighbours are joined, and belong to whom the debate waited longer. */
export function joined(gaps: readonly Gap[], most: number): readonly Gap[] {
  if (gaps.length <= most) return gaps;
  const size = Math.ceil(gaps.length / most);
  return Array.from({ length: Math.ceil(gaps.length / size) }, (_, index) => {
    const part = gaps.slice(index * size, (index + 1) * size);
    const waited = waitedFor(part);
    const role = (Object.keys(waited) as Role[]).reduce((a, b) => (waited[b] > waited[a] ? b : a));
    const ms = part.reduce((sum, gap) => sum + gap.ms, 0);
    return { from: part[0]?.from ?? 0, to: part.at(-1)?.to ?? null, role, ms };
  });
}
