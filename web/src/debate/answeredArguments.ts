import type { Argument } from '@/api/types';

export interface Relations {
  parentSeq(argument: Argument): number | null;
  appealOf(argument: Argument): Argument | null;
}

/** Which argument answers which, and which ruling decided which appeal, among the loaded arguments. */
export function relations(items: readonly Argument[], motion: Argument): Relations {
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
  return {
    parentSeq: ({ parent_id }) => (parent_id === null ? null : (seqs.get(parent_id) ?? null)),
    appealOf: ({ id }) => appeals.get(id) ?? null,
  };
}
