import { Lock } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Failure, knownState, type StateName } from '@/api/types';
import type { DebateSession, Snapshot } from '@/debate/session';
import type { View } from '@/debate/view';
import { useT } from '@/i18n';
import { TAKEN_BACK } from '@/live/outbox';
import type { Action } from '@/live/protocol';
import { toast } from '@/ui/toast';
import { useDraft } from './draft';
import { HoldToStop } from './HoldToStop';
import { KeptDraft } from './KeptDraft';
import { PendingStrip } from './PendingStrip';
import { questionOf } from './question';
import { Refusal } from './Refusal';
import { type RulingInput, RulingPanel } from './RulingPanel';

interface DockProps {
  session: DebateSession;
  view: View;
  snapshot: Snapshot;
}

/** What the arbitrator finds below the debate in each state. */
const SEATS: Record<StateName, 'stop' | 'rule' | 'read'> = {
  AWAITING_OPPONENT: 'stop',
  AWAITING_PROPOSER: 'stop',
  AWAITING_ARBITRATOR: 'rule',
  INTERVENTION_PENDING: 'rule',
  CLOSED: 'read',
};

export function Dock({ session, view, snapshot }: DockProps) {
  const t = useT();
  const { debate } = view;
  const { pending, connection } = snapshot;
  const handle = useDraft(debate.id);
  const [failure, setFailure] = useState<Failure | null>(null);
  const state = knownState(debate.state);
  const seat = state === null ? null : SEATS[state];

  // Somebody else ruled while this person was writing: said as clearly as if it had been sent and refused.
  const seatBefore = useRef(seat);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the change of the seat counts
  useEffect(() => {
    const taken = seatBefore.current === 'rule' && seat !== 'rule';
    seatBefore.current = seat;
    if (taken && pending === null && handle.draft.text.trim() !== '') {
      setFailure({ code: 'ACTION_NOT_ALLOWED', message: '', current_state: debate.state });
      handle.keep();
    }
  }, [seat]);

  async function act(action: Action): Promise<boolean> {
    setFailure(null);
    const outcome = await session.act(action);
    if (!outcome.ok) {
      if (outcome.failure !== TAKEN_BACK) setFailure(outcome.failure);
      return false;
    }
    const { type, close, seq } = outcome.argument;
    if (type === 'INTERVENTION') toast(t('accepted.intervention'));
    else toast(close ? t('accepted.closed') : t('accepted.ruling', { seq }));
    return true;
  }

  async function rule({ content, close, chosenOption }: RulingInput) {
    const taken = await act({
      event: 'submit_ruling',
      data: {
        debate_id: debate.id,
        content,
        close,
        ...(chosenOption !== null && { chosen_option: chosenOption }),
      },
    });
    if (taken) handle.sent();
    else handle.keep();
  }

  return (
    <section
      aria-label={t('dock.label')}
      className="max-h-[65dvh] overflow-y-auto border-t bg-page pb-[env(safe-area-inset-bottom)]"
    >
      <div className="mx-auto max-w-[52rem] px-3 py-3 sm:px-6 sm:py-4">
        {failure && <Refusal failure={failure} onDismiss={() => setFailure(null)} />}
        {pending && (
          <PendingStrip pending={pending} connection={connection} onTakeBack={() => session.takeBack()} />
        )}
        {seat !== 'rule' && handle.draft.text.trim() !== '' && <KeptDraft handle={handle} />}
        {seat === 'stop' && (
          <HoldToStop
            busy={pending !== null}
            onStop={() => void act({ event: 'submit_intervention', data: { debate_id: debate.id } })}
          />
        )}
        {seat === 'rule' && (
          <RulingPanel
            question={questionOf(view)}
            handle={handle}
            busy={pending !== null}
            onRule={(ruling) => void rule(ruling)}
          />
        )}
        {seat === 'read' && (
          <p className="flex items-center justify-center gap-2 py-1 text-sm text-muted">
            <Lock aria-hidden className="size-4" />
            <span>
              <strong className="font-semibold text-ink">{t('closed.title')}</strong> {t('closed.hint')}
            </span>
          </p>
        )}
        {seat === null && (
          <p className="text-center text-sm text-muted">{t('unknown.hint', { state: debate.state })}</p>
        )}
      </div>
    </section>
  );
}
