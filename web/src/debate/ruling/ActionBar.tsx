import { Gavel } from 'lucide-react';
import { useState } from 'react';
import type { Failure } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath, navigate } from '@/lib/router';
import { type Store, useStore } from '@/lib/store';
import { ButtonLink } from '@/ui/button';
import { toast } from '@/ui/toast';
import { WITHDRAWN } from '@/websocket/outbox';
import type { DebateStore, Snapshot } from '../debateStore';
import { type DebateView, isOver } from '../debateView';
import { UnsettledLine } from '../UnsettledLine';
import { ActionError } from './ActionError';
import { ClosedNotice } from './ClosedNotice';
import { type Draft, isWritten } from './draft';
import { focusBox } from './focusBox';
import { rulingsIn } from './rulingRequest';
import { SavedDraft } from './SavedDraft';
import { StopButton } from './StopButton';
import { SendingNotice } from './undo/SendingNotice';
import { useRuling } from './undo/unsentRulings';

interface ActionBarProps {
  store: DebateStore;
  view: DebateView;
  snapshot: Snapshot;
  draft: Store<Draft>;
  /** Whether the decision is shown above it, rather than the debate. */
  deciding: boolean;
}

/** Below the debate: what the server says that the arbitrator may do, and what became of it. */
export function ActionBar({ store, view, snapshot, draft, deciding }: ActionBarProps) {
  const t = useT();
  const { debate, turns } = view;
  const { pending, connection } = snapshot;
  const written = isWritten(useStore(draft));
  const { busy } = useRuling(debate);
  const [failure, setFailure] = useState<Failure | null>(null);
  const action = turns.find(({ role }) => role === 'arbitrator')?.action;
  const due = rulingsIn(turns).length > 0;
  const closed = isOver(view);

  async function stop(reason: string) {
    setFailure(null);
    const data = { debate_id: debate.id, ...(reason !== '' && { content: reason }) };
    const outcome = await store.socket.outbox.submit({ event: 'submit_intervention', data });
    if (outcome.ok) {
      toast(t('accepted.intervention'));
      navigate(debatePath(debate.id));
      focusBox(debate.id);
    } else if (outcome.failure !== WITHDRAWN) setFailure(outcome.failure);
    return outcome.ok;
  }

  if (deciding && !failure && !pending) return null;
  return (
    <section
      aria-label={t('actions.label')}
      className="max-h-[65dvh] overflow-y-auto border-t bg-background pb-[env(safe-area-inset-bottom)]"
    >
      <div className="mx-auto grid max-w-[52rem] grid-cols-1 gap-3 px-3 py-3 sm:px-6">
        {failure && <ActionError failure={failure} onDismiss={() => setFailure(null)} />}
        {pending && connection !== 'live' && (
          <SendingNotice sent={pending.sent} live={false} onWithdraw={() => store.socket.outbox.withdraw()} />
        )}
        {!due && !busy && written && <SavedDraft stored={draft} closed={closed} />}
        {action === 'watch' && (
          <div className="grid gap-1.5">
            <UnsettledLine issues={view.issues} />
            <StopButton debateId={debate.id} busy={pending !== null} onStop={stop} />
          </div>
        )}
        {due && !deciding && (
          <ButtonLink data-action variant="primary" href={debatePath(debate.id)}>
            <Gavel aria-hidden />
            {t('ruling.decide')}
          </ButtonLink>
        )}
        {closed && <ClosedNotice debate={debate} />}
      </div>
    </section>
  );
}
