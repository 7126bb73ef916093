import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import type { DecisionModel } from './decisionModel';
import type { RulingOutcome } from './rulingOutcome';
import { askedText, useTurnsAfter } from './turnsAfter';

interface WhatFollowsProps {
  model: DecisionModel;
  outcome: RulingOutcome;
}

/** What each side will be asked after a ruling that continues; on a request to finish, what closing leads to, too. */
export function WhatFollows({ model, outcome }: WhatFollowsProps) {
  const t = useT();
  const { toFinish } = model.request;
  const { turns, old, wanted } = useTurnsAfter(model, outcome);
  if (!wanted) return null;
  const text = turns && askedText(t, turns);
  return (
    <div
      data-follows
      aria-busy={old}
      // Its lines are there before they are told, so that nothing moves then.
      className={cn(
        'min-h-5 text-[13px] text-muted-foreground tabular-nums wrap-anywhere',
        old && 'opacity-50',
        toFinish && '@max-lg:text-xs',
      )}
    >
      {text !== undefined && <p>{t(toFinish ? 'asked.sendback' : 'asked', { what: text })}</p>}
      {toFinish && <p>{t('asked.close', { what: t('asked.closed') })}</p>}
    </div>
  );
}
