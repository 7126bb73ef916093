import { Gavel } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { type Store, useStore } from '@/lib/store';
import { Link } from '@/ui/Link';
import type { DebateStore, Snapshot } from '../debateStore';
import type { DebateView } from '../debateView';
import { ActionError, RULED_ELSEWHERE } from './ActionError';
import { rulingsIn } from './asked';
import { ClosedNotice } from './ClosedNotice';
import { type Draft, isWritten, keepDraft } from './draft';
import { PendingNotice, SavedDraft } from './PendingNotice';
import { StopButton } from './StopButton';
import { useRuling, useStop } from './useRuling';

interface ActionBarProps {
  store: DebateStore;
  view: DebateView;
  snapshot: Snapshot;
  draft: Store<Draft>;
  /** Whether the decision is shown above it, rather than the debate. */
  deciding: boolean;
  /** Shows the decision. */
  onDecide: () => void;
}

/** Below the debate: what the server says that the arbitrator may do, and what became of it. */
export function ActionBar({ store, view, snapshot, draft, deciding, onDecide }: ActionBarProps) {
  const t = useT();
  const { debate, turns } = view;
  const { pending, connection } = snapshot;
  const written = isWritten(useStore(draft));
  const { busy, refused } = useRuling(debate);
  const { failure, setFailure, stop } = useStop(debate.id, (action) => store.act(action));
  const action = turns.find(({ role }) => role === 'arbitrator')?.action;
  const due = rulingsIn(turns).length > 0;
  const closed = action === 'debate_closed';

  // If a ruling is made elsewhere while this person writes one, it is said that this one was not sent.
  const previous = useRef(due);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when a ruling becomes due, or was made
  useEffect(() => {
    const ruledElsewhere = previous.current && !due;
    previous.current = due;
    if (ruledElsewhere && !busy && !refused && written) {
      setFailure({ code: RULED_ELSEWHERE, message: '', current_state: debate.state });
      keepDraft(debate.id);
    }
  }, [due]);

  async function stopAndDecide(reason: string) {
    const stopped = await stop(reason);
    if (stopped) onDecide();
    return stopped;
  }

  if (deciding && !failure && !pending) return null;
  return (
    <section
      aria-label={t('actions.label')}
      className="max-h-[65dvh] overflow-y-auto border-t bg-background pb-[env(safe-area-inset-bottom)]"
    >
      <div className="mx-auto max-w-[52rem] px-3 py-3 sm:px-6">
        {failure && (
          <div className="mb-3">
            <ActionError failure={failure} onDismiss={() => setFailure(null)} />
          </div>
        )}
        {pending && connection !== 'live' && (
          <div className="mb-3">
            <PendingNotice sent={pending.sent} live={false} onWithdraw={() => store.withdraw()} />
          </div>
        )}
        {!due && !busy && written && <SavedDraft stored={draft} closed={closed} />}
        {action === 'watch' && (
          <StopButton debateId={debate.id} busy={pending !== null} onStop={stopAndDecide} />
        )}
        {due && !deciding && (
          <Link
            href={debatePath(debate.id)}
            className="flex h-10 items-center justify-center gap-2 rounded-lg bg-primary px-4 text-sm font-medium text-primary-foreground hover:bg-primary/90"
          >
            <Gavel aria-hidden className="size-4" />
            {t('ruling.decide')}
          </Link>
        )}
        {closed && <ClosedNotice debate={debate} />}
      </div>
    </section>
  );
}
