import { useState } from 'react';
import type { Failure } from '@/api/types';
import { useT } from '@/i18n';
import { toast } from '@/ui/toast';
import type { Action } from '@/websocket/messages';
import { type Outcome, WITHDRAWN } from '@/websocket/outbox';
import type { DraftStore } from './draft';
import { type ChangeFault, faultOf, type KeyedChange } from './issueDecisions';

export interface RulingInput {
  content: string;
  close: boolean;
  chosenOption: number | null;
  changes: readonly KeyedChange[];
}

/** Sends the arbitrator's actions in one debate, and keeps why the server refused the last one. */
export function useActions(
  debateId: string,
  draftStore: DraftStore,
  act: (action: Action) => Promise<Outcome>,
) {
  const t = useT();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [fault, setFault] = useState<ChangeFault | null>(null);

  function clearFailure() {
    setFailure(null);
    setFault(null);
  }

  async function send(action: Action, changes: readonly KeyedChange[] = []): Promise<boolean> {
    clearFailure();
    const outcome = await act(action);
    if (!outcome.ok) {
      if (outcome.failure !== WITHDRAWN) setFailure(outcome.failure);
      setFault(faultOf(outcome.failure, changes));
      return false;
    }
    const { type, close, seq } = outcome.argument;
    if (type === 'INTERVENTION') toast(t('accepted.intervention'));
    else toast(close ? t('accepted.closed') : t('accepted.ruling', { seq }));
    return true;
  }

  async function rule({ content, close, chosenOption, changes }: RulingInput): Promise<void> {
    const data = {
      debate_id: debateId,
      content,
      close,
      ...(chosenOption !== null && { chosen_option: chosenOption }),
      ...(changes.length > 0 && { issue_changes: changes.map(({ change }) => change) }),
    };
    if (await send({ event: 'submit_ruling', data }, changes)) draftStore.clearAfterSend();
    else draftStore.restore();
  }

  return { failure, fault, setFailure, clearFailure, send, rule };
}
