import type { Argument } from '@/api/types';
import type { View } from '@/debate/view';

export type Question =
  | { kind: 'appeal'; appeal: Argument }
  | { kind: 'late-appeal'; appeal: Argument }
  | { kind: 'resolution' }
  | { kind: 'intervention' };

/**
 * What the ruling is about. Only a ruling may follow an appeal or a resolution, so the newest argument tells; after an
 * intervention the newest is the intervention itself or the one that was delivered late.
 */
export function questionOf({ debate, last }: View): Question {
  const stopped = debate.state === 'INTERVENTION_PENDING';
  if (last.type === 'APPEAL') return { kind: stopped ? 'late-appeal' : 'appeal', appeal: last };
  if (last.type === 'RESOLUTION') return { kind: 'resolution' };
  return { kind: 'intervention' };
}
