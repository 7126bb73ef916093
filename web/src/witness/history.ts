import type { Argument, Debate } from '@/api/types';

/** A place in a debate and the hash of what stands there, which stands for all before it, too. */
export interface Seen {
  seq: number;
  hash: string;
}

/** What an answer says of a debate's history. */
export interface Told {
  newest: Seen;
  places: readonly Seen[];
}

/** Why a history does not go on from what was seen. */
export type Fault =
  | { name: 'changed'; seq: number }
  | { name: 'gone'; seq: number }
  | { name: 'shorter'; seq: number; now: number };

export type Verdict = { name: 'extends' } | Fault;

/** Null where a server tells no hashes: there is nothing to compare. */
export function told(debate: Debate, args: readonly Argument[]): Told | null {
  if (debate.head === undefined) return null;
  const newest = { seq: debate.last_seq, hash: debate.head };
  return { newest, places: [newest, ...args.flatMap(placeOf)] };
}

/** An argument that arrives by itself says nothing of the places before it. */
export function toldBy(argument: Argument): Told | null {
  const [newest] = placeOf(argument);
  return newest === undefined ? null : { newest, places: [newest] };
}

function placeOf({ seq, hash }: Argument): Seen[] {
  return hash === undefined ? [] : [{ seq, hash }];
}

/**
 * Whether an answer goes on from what was seen. Anything else is a reason to ask for that place: another answer may
 * have overtaken this one, or this one is of other places.
 */
export function verdict({ newest, places }: Told, { seq, hash }: Seen): Verdict {
  if (newest.seq < seq) return { name: 'shorter', seq, now: newest.seq };
  const there = places.filter((place) => place.seq === seq);
  if (there.length === 0) return { name: 'gone', seq };
  return there.every((place) => place.hash === hash) ? { name: 'extends' } : { name: 'changed', seq };
}
