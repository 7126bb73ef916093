import type { Debate } from '@/api/types';
import { useStore } from '@/lib/store';
import { forget, heldFor, heldRulings, hold, isBehind } from './heldRulings';
import { faultOf, type KeyedChange } from './issueDecisions';

export interface RulingInput {
  content: string;
  close: boolean;
  chosenOption: number | null;
  changes: readonly KeyedChange[];
  effect: string;
  summary: string;
}

/** The arbitrator's rulings in one debate: each is held before it is sent. */
export function useRuling({ id, title, last_seq }: Debate) {
  const held = heldFor(useStore(heldRulings), id);
  return {
    busy: (held !== null && held.phase !== 'refused') || isBehind(id, last_seq),
    /** The change for which the last ruling was refused. */
    fault: held?.failure ? faultOf(held.failure, held.changes) : null,
    clearFault: () => held?.phase === 'refused' && forget(held.requestId),
    rule({ content, close, chosenOption, changes, effect, summary }: RulingInput): void {
      const data = {
        debate_id: id,
        content,
        close,
        ...(chosenOption !== null && { chosen_option: chosenOption }),
        ...(changes.length > 0 && { issue_changes: changes.map(({ change }) => change) }),
      };
      hold({ title, effect, summary, action: { event: 'submit_ruling', data }, changes });
    },
  };
}
