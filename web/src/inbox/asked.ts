import type { Argument, DebateContext } from '@/api/types';
import { fromContext } from '@/debate/debateView';
import { type Question, questionOf } from '@/debate/ruling/question';

/** Two, because an argument may arrive late after the one that stopped the debate. */
export const ASKED_LIMIT = 2;

/** What a debate asks the arbitrator. */
export interface Asked {
  question: Question;
  /** The argument that the arbitrator reads: the appeal, the request to finish, or what came last before the Stop. */
  argument: Argument;
  /** Since when the ruling is due. */
  since: string;
  hasPlan: boolean;
}

/** Prefix for the ids in the markdown of an argument, which must differ between cards. */
export function markdownScope({ debate_id, seq }: Argument): string {
  return `i${debate_id}-${seq}`;
}

/** What is asked, from the newest arguments of a debate in which a ruling is due. */
export function askedIn(context: DebateContext): Asked {
  const view = fromContext(context);
  // A late delivery does not make the ruling due: the intervention before it did.
  const stop = view.items.findLast(({ type }) => type === 'INTERVENTION');
  const stopped = context.debate.state === 'INTERVENTION_PENDING' ? stop : undefined;
  return {
    question: questionOf(view),
    argument: view.last,
    since: (stopped ?? view.last).created_at,
    hasPlan: context.debate.plan !== null,
  };
}
