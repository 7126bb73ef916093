import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import type { DecisionModel } from './decisionModel';
import type { RulingOutcome } from './rulingOutcome';
import { askedText, useTurnsAfter } from './turnsAfter';

interface WhatFollowsProps {
  model: DecisionModel;
  outcome: RulingOutcome;
  /** Whether the ruling would close the debate. */
  close: boolean;
}

/** What each side will be asked after this ruling. */
export function WhatFollows({ model, outcome, close }: WhatFollowsProps) {
  const t = useT();
  // What is written on a request to finish is why it is sent back.
  const sendsBack = model.request.toFinish && (outcome.words !== '' || !close);
  const { turns, old } = useTurnsAfter(model, outcome, close && !sendsBack);
  if (turns === undefined) return null;
  const text = askedText(t, turns);
  return (
    <p
      data-follows
      title={text}
      aria-busy={old}
      className={cn('truncate text-[13px] text-muted-foreground tabular-nums', old && 'opacity-50')}
    >
      {t(sendsBack ? 'asked.sendback' : 'asked', { what: text })}
    </p>
  );
}
