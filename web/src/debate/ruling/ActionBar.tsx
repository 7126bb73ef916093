import { useEffect, useRef } from 'react';
import type { Turn } from '@/api/types';
import { useT } from '@/i18n';
import type { Store } from '@/lib/store';
import type { DebateStore, Snapshot } from '../debateStore';
import type { DebateView } from '../debateView';
import { ActionError, RULED_ELSEWHERE } from './ActionError';
import { ClosedNotice } from './ClosedNotice';
import { type Draft, isWritten, keepDraft, useDraft } from './draft';
import { PendingNotice, SavedDraft } from './PendingNotice';
import { questionOf } from './question';
import { RulingForm } from './RulingForm';
import { StopButton } from './StopButton';
import { useRuling, useStop } from './useRuling';

interface ActionBarProps {
  store: DebateStore;
  view: DebateView;
  snapshot: Snapshot;
  draft: Store<Draft>;
}

/** What the server says that the arbitrator may do. */
function availableTo(turns: readonly Turn[]): 'rule' | 'stop' | 'none' {
  const allowed = turns.find(({ role }) => role === 'arbitrator')?.allowed ?? [];
  if (allowed.includes('RULING')) return 'rule';
  return allowed.includes('INTERVENTION') ? 'stop' : 'none';
}

export function ActionBar({ store, view, snapshot, draft }: ActionBarProps) {
  const t = useT();
  const { debate } = view;
  const { pending, connection } = snapshot;
  const draftStore = useDraft(draft);
  const { busy, fault, clearFault, rule } = useRuling(debate);
  const { failure, setFailure, stop } = useStop(debate.id, (action) => store.act(action));
  const available = availableTo(view.turns);

  // If a ruling is made elsewhere while this person writes one, it is said that this one was not sent.
  const previous = useRef(available);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the available action changes
  useEffect(() => {
    const ruledElsewhere = previous.current === 'rule' && available !== 'rule';
    previous.current = available;
    if (ruledElsewhere && !busy && isWritten(draftStore.draft)) {
      setFailure({ code: RULED_ELSEWHERE, message: '', current_state: debate.state });
      keepDraft(debate.id);
    }
  }, [available]);

  return (
    <section
      aria-label={t('actions.label')}
      className="max-h-[65dvh] overflow-y-auto border-t bg-background pb-[env(safe-area-inset-bottom)]"
    >
      <div className="mx-auto max-w-[52rem] px-3 py-3 sm:px-6 sm:py-4">
        {failure && (
          <div className="mb-3">
            <ActionError failure={failure} onDismiss={() => setFailure(null)} />
          </div>
        )}
        {pending && (
          <PendingNotice pending={pending} connection={connection} onWithdraw={() => store.withdraw()} />
        )}
        {available !== 'rule' && !busy && isWritten(draftStore.draft) && (
          <SavedDraft draftStore={draftStore} closed={available === 'none'} />
        )}
        {available === 'stop' && <StopButton debateId={debate.id} busy={pending !== null} onStop={stop} />}
        {available === 'rule' && (
          <RulingForm
            debate={debate}
            question={questionOf(view)}
            issues={view.issues}
            draftStore={draftStore}
            fault={fault}
            onFaultSeen={clearFault}
            busy={busy}
            onRule={rule}
          />
        )}
        {available === 'none' && debate.state === 'CLOSED' && <ClosedNotice debate={debate} />}
      </div>
    </section>
  );
}
