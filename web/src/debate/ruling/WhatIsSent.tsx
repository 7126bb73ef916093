import { Undo2 } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { useT } from '@/i18n';
import { useSelected } from '@/lib/store';
import { Button, IconButton } from '@/ui/button';
import { cn } from '@/ui/cn';
import { mayScroll, type TextPart, TextParts } from '@/ui/TextParts';
import type { DecisionModel } from './decisionModel';
import type { Draft } from './draft';
import type { Preview } from './preview';
import { missingKey, type RulingOutcome } from './rulingOutcome';
import { AWAY_WHILE_WRITING } from './StickyBar';
import { WhatFollows } from './WhatFollows';

interface WhatIsSentProps {
  model: DecisionModel;
  preview: Preview;
  summary: readonly TextPart[];
  outcome: RulingOutcome;
}

const focus = (button: HTMLElement | null) => button?.focus({ preventScroll: true });

/** What a ruling says in short, what follows it, and what is missing. */
export function WhatIsSent({ model, preview, summary, outcome }: WhatIsSentProps) {
  const t = useT();
  const [taken, setTaken] = useState<Draft | null>(null);
  const chosen = useSelected(
    model.stored,
    () => model.draft().choice !== null || Object.keys(model.draft().decisions).length > 0,
  );
  // Something else was chosen since.
  if (chosen && taken !== null) setTaken(null);

  function restore({ currentTarget }: MouseEvent<HTMLButtonElement>) {
    if (taken === null) return;
    // The button goes with what it brings back.
    currentTarget.form?.querySelector<HTMLElement>('input')?.focus({ preventScroll: true });
    const { choice, offered, decisions } = taken;
    model.change({ choice, offered, decisions });
  }
  return (
    <>
      {taken !== null && !chosen && (
        <p className={cn('flex items-center gap-2 text-[13px]', AWAY_WHILE_WRITING)}>
          {t('ruling.unchosen')}
          <Button ref={focus} size="sm" onClick={restore}>
            {t('ruling.rechoose')}
          </Button>
        </p>
      )}
      {summary.length > 0 && (
        <div className={cn('flex items-end gap-1', AWAY_WHILE_WRITING)}>
          <p
            dir="auto"
            data-ruling-summary
            tabIndex={mayScroll(summary) ? 0 : undefined}
            className="scroll-shadow-y max-h-[min(25dvh,4lh)] min-w-0 flex-1 overflow-y-auto text-[13px] wrap-anywhere"
          >
            {t('ruling.summary')} <TextParts parts={summary} />
          </p>
          {chosen && (
            <IconButton
              icon={Undo2}
              size="tiny"
              label={t('ruling.unchoose')}
              onClick={() => {
                setTaken(model.draft());
                model.unchoose();
              }}
            />
          )}
        </div>
      )}
      <WhatFollows toFinish={model.request.toFinish} preview={preview} unexplained={outcome.unexplained} />
      <p
        id="ruling-missing"
        className="hidden text-[13px] text-destructive group-has-[[data-ruling-box][data-tried]:invalid]/form:block"
      >
        {t(missingKey(model.request, outcome))}
      </p>
    </>
  );
}
