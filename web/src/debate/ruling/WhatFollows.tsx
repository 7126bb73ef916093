import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import type { DecisionModel } from './decisionModel';
import type { RulingOutcome } from './rulingOutcome';
import { askedText, useTurnsAfter } from './turnsAfter';

interface WhatFollowsProps {
  model: DecisionModel;
  outcome: RulingOutcome;
  choice: number | null;
  /** Whether the ruling would close the debate. */
  close: boolean;
}

/** What each side will be asked after this ruling. */
export function WhatFollows({ model, outcome, choice, close }: WhatFollowsProps) {
  const t = useT();
  const { turns, old } = useTurnsAfter(model, outcome, choice, close);
  if (turns === undefined) return null;
  const text = askedText(t, turns);
  return (
    <p
      data-follows
      title={text}
      aria-busy={old}
      className={cn('truncate text-[13px] text-muted-foreground tabular-nums', old && 'opacity-50')}
    >
      {t('asked', { what: text })}
    </p>
  );
}
