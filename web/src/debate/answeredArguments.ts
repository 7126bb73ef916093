import type { Argument } from '@/api/types';

/** The seq of each of the loaded arguments, by id. */
export function seqsOf(items: readonly Argument[], motion: Argument): ReadonlyMap<string, number> {
  return new Map([[motion.id, motion.seq], ...items.map(({ id, seq }) => [id, seq] as const)]);
}
