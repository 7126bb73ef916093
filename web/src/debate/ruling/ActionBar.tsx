import { Lock } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Failure, knownState, type StateName } from '@/api/types';
import { useT } from '@/i18n';
import { toast } from '@/ui/toast';
import type { Action } from '@/websocket/messages';
import { WITHDRAWN } from '@/websocket/outbox';
import type { DebateStore, Snapshot } from '../debateStore';
import type { DebateView } from '../debateView';
import { ActionError } from './ActionError';
import { isWritten, useDraft } from './draft';
import { type ChangeFault, faultOf, type KeyedChange } from './issueDecisions';
import { PendingNotice } from './PendingNotice';
import { questionOf } from './question';
import { RulingForm, type RulingInput } from './RulingForm';
import { SavedDraft } from './SavedDraft';
import { StopButton } from './StopButton';

interface ActionBarProps {
  store: DebateStore;
  view: DebateView;
  snapshot: Snapshot;
}

/** What the arbitrator can do in each state. */
const ACTIONS: Record<StateName, 'stop' | 'rule' | 'none'> = {
  AWAITING_OPPONENT: 'stop',
  AWAITING_PROPOSER: 'stop',
  AWAITING_ARBITRATOR: 'rule',
  INTERVENTION_PENDING: 'rule',
  CLOSED: 'none',
};

export function ActionBar({ store, view, snapshot }: ActionBarProps) {
  const t = useT();
  const { debate } = view;
  const { pending, connection } = snapshot;
  const draftStore = useDraft(debate.id);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [fault, setFault] = useState<ChangeFault | null>(null);
  const state = knownState(debate.state);
  const available = state === null ? null : ACTIONS[state];

  // If somebody else rules while this person writes, show the same error as for a refused ruling.
  const previous = useRef(available);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the available action changes
  useEffect(() => {
    const ruledElsewhere = previous.current === 'rule' && available !== 'rule';
    previous.current = available;
    if (ruledElsewhere && pending === null && isWritten(draftStore.draft)) {
      setFailure({ code: 'ACTION_NOT_ALLOWED', message: '', current_state: debate.state });
      draftStore.restore();
    }
  }, [available]);

  async function act(action: Action, changes: readonly KeyedChange[] = []): Promise<boolean> {
    setFailure(null);
    setFault(null);
    const outcome = await store.act(action);
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

  async function rule({ content, close, chosenOption, changes }: RulingInput) {
    const data = {
      debate_id: debate.id,
      content,
      close,
      ...(chosenOption !== null && { chosen_option: chosenOption }),
      ...(changes.length > 0 && { issue_changes: changes.map(({ change }) => change) }),
    };
    if (await act({ event: 'submit_ruling', data }, changes)) draftStore.clearAfterSend();
    else draftStore.restore();
  }

  return (
    <section
      aria-label={t('actions.label')}
      className="max-h-[65dvh] overflow-y-auto border-t bg-background pb-[env(safe-area-inset-bottom)]"
    >
      <div className="mx-auto max-w-[52rem] px-3 py-3 sm:px-6 sm:py-4">
        {failure && <ActionError failure={failure} fault={fault} onDismiss={() => setFailure(null)} />}
        {pending && (
          <PendingNotice pending={pending} connection={connection} onWithdraw={() => store.withdraw()} />
        )}
        {available !== 'rule' && isWritten(draftStore.draft) && <SavedDraft draftStore={draftStore} />}
        {available === 'stop' && (
          <StopButton
            busy={pending !== null}
            onStop={() => void act({ event: 'submit_intervention', data: { debate_id: debate.id } })}
          />
        )}
        {available === 'rule' && (
          <RulingForm
            question={questionOf(view)}
            issues={view.issues}
            draftStore={draftStore}
            fault={fault}
            onFaultSeen={() => {
              setFault(null);
              setFailure(null);
            }}
            busy={pending !== null}
            onRule={(ruling) => void rule(ruling)}
          />
        )}
        {available === 'none' && (
          <p className="flex items-center justify-center gap-2 py-1 text-sm text-muted-foreground">
            <Lock aria-hidden className="size-4" />
            <span>
              <strong className="font-semibold text-foreground">{t('closed.title')}</strong>{' '}
              {t('closed.hint')}
            </span>
          </p>
        )}
        {available === null && (
          <p className="text-center text-sm text-muted-foreground">
            {t('unknown.hint', { state: debate.state })}
          </p>
        )}
      </div>
    </section>
  );
}
