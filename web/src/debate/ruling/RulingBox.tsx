import type { RefObject } from 'react';
import { useT } from '@/i18n';
import type { DecisionModel } from './decisionModel';
import { missingKey, type RulingOutcome } from './rulingOutcome';

interface RulingBoxProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  model: DecisionModel;
  text: string;
  outcome: RulingOutcome;
}

/** One line to write in, which grows with what is written. */
export function RulingBox({ ref, model, text, outcome }: RulingBoxProps) {
  const t = useT();
  const { debate, request, change } = model;
  const { chosen, missing } = outcome;
  const option = chosen !== undefined && !chosen.free_form;
  const placeholder = request.toFinish
    ? 'ruling.placeholder.resolution'
    : request.mayGoOn
      ? 'ruling.placeholder.stop'
      : option
        ? 'ruling.placeholder.option'
        : 'ruling.placeholder';
  return (
    <textarea
      ref={(field) => {
        ref.current = field;
        field?.setCustomValidity(missing ? t(missingKey(request, outcome)) : '');
      }}
      data-ruling-box={debate.id}
      aria-describedby="ruling-missing"
      dir="auto"
      aria-label={t('ruling.box')}
      value={text}
      rows={1}
      placeholder={t(placeholder)}
      onChange={(event) => change({ text: event.target.value })}
      className="block max-h-[40dvh] min-h-10 min-w-0 flex-1 basis-56 resize-none rounded-lg border border-border bg-card px-3 py-2 text-sm leading-relaxed field-sizing-content placeholder:text-muted-foreground focus-visible:outline-offset-0 data-tried:invalid:border-destructive"
    />
  );
}
