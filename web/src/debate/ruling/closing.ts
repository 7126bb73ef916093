import type { Issue, Move } from '@/api/types';
import type { RulingOutcome } from './rulingOutcome';
import type { RulingRequest } from './rulingRequest';

type Asked = Pick<RulingRequest, 'toFinish' | 'agreed' | 'moves'>;

/**
 * What the main button sends: the server's first move. What was typed, which the server does not know, changes that in one case: a
 * ruling that asks for more on a request to finish is sent back, since nobody could do it in a closed debate.
 */
export function primaryMove({ toFinish, moves }: Asked, outcome: RulingOutcome): Move | undefined {
  const sentBack = toFinish && outcome.asksForMore && moves.find(({ close }) => close !== true);
  return sentBack || moves[0];
}

/**
 * Whether closing is asked about first. One press closes what the server says is agreed, unless what was typed may say otherwise: it
 * asks for more, it leaves an issue unsettled or the server has not told whether it does, or there are words of which only the person
 * knows what they ask for. Those the button takes, since it says that it closes; the keys, which press the main button whatever it
 * says, ask.
 */
export function asksToClose(
  { agreed }: Asked,
  { asksForMore, changes, words }: RulingOutcome,
  /** Null where that is not told. */
  unsettled: readonly Issue[] | null,
  byKeys: boolean,
): boolean {
  if (!agreed || asksForMore || (byKeys && words !== '')) return true;
  return changes.length > 0 && unsettled?.length !== 0;
}
