import type { Argument } from '@/api/types';

/** Of the loaded arguments, by id: the seq of each, and the appeal that a ruling decided. */
export function relations(items: readonly Argument[], motion: Argument) {
  const seqs = new Map([[motion.id, motion.seq], ...items.map(({ id, seq }) => [id, seq] as const)]);
  const appeals = new Map<string, Argument>();
  let appeal: Argument | null = null;
  for (const item of items) {
    if (item.type === 'APPEAL') appeal = item;
    if (item.type === 'RULING') {
      if (appeal !== null) appeals.set(item.id, appeal);
      appeal = null;
    }
  }
  return { seqs, appeals };
}
