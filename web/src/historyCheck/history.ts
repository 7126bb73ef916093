import type { Argument, Debate } from '@/api/types';

/** The seq of an argument, and its hash, which also covers all arguments before it. */
export interface SeqHash {
  seq: number;
  hash: string;
}

/** What an answer of the server says about the history of a debate. */
export interface HistoryReport {
  newest: SeqHash;
  hashes: readonly SeqHash[];
}

/** How a history contradicts what was seen before. */
export type HistoryMismatch =
  | { name: 'changed'; seq: number }
  | { name: 'gone'; seq: number }
  | { name: 'shorter'; seq: number; now: number };

/** Null if the server sends no hashes. */
export function historyOf(debate: Debate, args: readonly Argument[]): HistoryReport | null {
  if (debate.head === undefined) return null;
  const newest = { seq: debate.last_seq, hash: debate.head };
  return { newest, hashes: [newest, ...args.flatMap(seqHashOf)] };
}

/** A single argument says nothing about those before it. */
export function historyOfArgument(argument: Argument): HistoryReport | null {
  const [newest] = seqHashOf(argument);
  return newest === undefined ? null : { newest, hashes: [newest] };
}

function seqHashOf({ seq, hash }: Argument): SeqHash[] {
  return hash === undefined ? [] : [{ seq, hash }];
}

/**
 * Null if a report has the argument that was seen, with the same hash. A mismatch is not yet a proof: a later answer may
 * have overtaken this one, or this one is about other arguments.
 */
export function compareHistory(
  { newest, hashes }: HistoryReport,
  { seq, hash }: SeqHash,
): HistoryMismatch | null {
  if (newest.seq < seq) return { name: 'shorter', seq, now: newest.seq };
  const reported = hashes.filter((entry) => entry.seq === seq);
  if (reported.length === 0) return { name: 'gone', seq };
  return reported.every((entry) => entry.hash === hash) ? null : { name: 'changed', seq };
}
