import { useState } from 'react';
import type { Debate, Failure } from '@/api/types';
import { useT } from '@/i18n';
import { useStore } from '@/lib/store';
import { toast } from '@/ui/toast';
import type { Action } from '@/websocket/messages';
import { type Outcome, WITHDRAWN } from '@/websocket/outbox';
import { forget, heldFor, heldRulings, hold, isBehind } from './heldRulings';
import { faultOf, type KeyedChange } from './issueDecisions';

export interface RulingInput {
  content: string;
  close: boolean;
  chosenOption: number | null;
  changes: readonly KeyedChange[];
  /** The option and the changes in short. */
  summary: string;
}

/** The arbitrator's rulings in one debate: each is held before it is sent. */
export function useRuling({ id, title, last_seq }: Debate) {
  const held = heldFor(useStore(heldRulings), id);
  return {
    busy: (held !== null && held.phase !== 'refused') || isBehind(id, last_seq),
    /** Whether the last ruling was refused, which is said with it. */
    refused: held?.phase === 'refused',
    /** The change for which the last ruling was refused. */
    fault: held?.failure ? faultOf(held.failure, held.changes) : null,
    clearFault: () => held?.phase === 'refused' && forget(held.requestId),
    rule({ content, close, chosenOption, changes, summary }: RulingInput): void {
      const data = {
        debate_id: id,
        content,
        close,
        ...(chosenOption !== null && { chosen_option: chosenOption }),
        ...(changes.length > 0 && { issue_changes: changes.map(({ change }) => change) }),
      };
      hold({ title, summary, action: { event: 'submit_ruling', data }, changes });
    },
  };
}

/** Stops a debate, and keeps why the server refused that. */
export function useStop(debateId: string, act: (action: Action) => Promise<Outcome>) {
  const t = useT();
  const [failure, setFailure] = useState<Failure | null>(null);

  async function stop(content: string): Promise<boolean> {
    setFailure(null);
    const data = { debate_id: debateId, ...(content !== '' && { content }) };
    const outcome = await act({ event: 'submit_intervention', data });
    if (outcome.ok) toast(t('accepted.intervention'));
    else if (outcome.failure !== WITHDRAWN) setFailure(outcome.failure);
    return outcome.ok;
  }
  return { failure, setFailure, stop };
}
