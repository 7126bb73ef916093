import { useEffect, useRef } from 'react';
import { knownState, type StateName } from '@/api/types';
import { useT } from '@/i18n';
import type { Store } from '@/lib/store';
import type { DebateStore, Snapshot } from '../debateStore';
import type { DebateView } from '../debateView';
import { ActionError } from './ActionError';
import { ClosedNotice } from './ClosedNotice';
import { type Draft, isWritten, useDraft } from './draft';
import { PendingNotice } from './PendingNotice';
import { questionOf } from './question';
import { RulingForm } from './RulingForm';
import { SavedDraft } from './SavedDraft';
import { StopButton } from './StopButton';
import { useActions } from './useActions';

interface ActionBarProps {
  store: DebateStore;
  view: DebateView;
  snapshot: Snapshot;
  draft: Store<Draft>;
}

/** What the arbitrator can do in each state. */
const ACTIONS: Record<StateName, 'stop' | 'rule' | 'none'> = {
  AWAITING_OPPONENT: 'stop',
  AWAITING_PROPOSER: 'stop',
  AWAITING_ARBITRATOR: 'rule',
  INTERVENTION_PENDING: 'rule',
  CLOSED: 'none',
};

export function ActionBar({ store, view, snapshot, draft }: ActionBarProps) {
  const t = useT();
  const { debate } = view;
  const { pending, connection } = snapshot;
  const draftStore = useDraft(debate.id, draft);
  const actions = useActions(debate.id, draftStore, (action) => store.act(action));
  const { failure, fault, setFailure } = actions;
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
            debateId={debate.id}
            busy={pending !== null}
            onStop={(content) =>
              actions.send({
                event: 'submit_intervention',
                data: { debate_id: debate.id, ...(content !== '' && { content }) },
              })
            }
          />
        )}
        {available === 'rule' && (
          <RulingForm
            debateId={debate.id}
            lastSeq={debate.last_seq}
            question={questionOf(view)}
            counts={debate.issue_counts}
            issues={view.issues}
            draftStore={draftStore}
            fault={fault}
            onFaultSeen={actions.clearFailure}
            busy={pending !== null}
            onRule={(ruling) => void actions.rule(ruling)}
          />
        )}
        {available === 'none' && <ClosedNotice debate={debate} />}
        {available === null && (
          <p className="text-center text-sm text-muted-foreground">
            {t('unknown.hint', { state: debate.state })}
          </p>
        )}
      </div>
    </section>
  );
}
