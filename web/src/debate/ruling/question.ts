import type { Argument } from '@/api/types';
import type { DebateView } from '../debateView';

export type Question =
  | { kind: 'appeal'; appeal: Argument }
  | { kind: 'late-appeal'; appeal: Argument }
  | { kind: 'resolution' }
  | { kind: 'intervention' };

/**
 * What the arbitrator has to decide. Only a ruling may follow an appeal or a resolution, so the newest argument tells.
 * After an intervention that is the intervention, or an argument that was already on its way.
 */
export function questionOf({ debate, last }: DebateView): Question {
  const stopped = debate.state === 'INTERVENTION_PENDING';
  if (last.type === 'APPEAL') return { kind: stopped ? 'late-appeal' : 'appeal', appeal: last };
  if (last.type === 'RESOLUTION') return { kind: 'resolution' };
  return { kind: 'intervention' };
}
