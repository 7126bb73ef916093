import { useT } from '@/i18n';
import { InlineText } from '@/ui/InlineText';
import type { DecisionModel } from './decisionModel';
import type { Preview } from './preview';
import type { RulingOutcome } from './rulingOutcome';
import { WhatFollows } from './WhatFollows';

/** What is longer may have to be scrolled. */
const LONG = 80;

interface WhatIsSentProps {
  model: DecisionModel;
  outcome: RulingOutcome;
  preview: Preview;
  summary: string;
  /** Whether it was sent with something missing. */
  tried: boolean;
}

/** What a ruling says in short, what follows it, and what is missing. */
export function WhatIsSent({ model, outcome, preview, summary, tried }: WhatIsSentProps) {
  const t = useT();
  return (
    <>
      {summary !== '' && (
        <p
          dir="auto"
          data-ruling-summary
          tabIndex={summary.length > LONG ? 0 : undefined}
          className="scroll-shadow-y max-h-[25dvh] overflow-y-auto text-[13px] wrap-anywhere"
        >
          <InlineText text={t('ruling.summary', { what: summary })} />
        </p>
      )}
      <WhatFollows toFinish={model.request.toFinish} preview={preview} />
      {tried && outcome.missing && (
        <p id="ruling-missing" className="text-[13px] text-destructive">
          {t('ruling.missing')}
        </p>
      )}
    </>
  );
}
