import { type RefObject, useEffect, useState } from 'react';
import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import type { DecisionModel } from './decisionModel';
import { missingKey, type RulingOutcome } from './rulingOutcome';

interface RulingBoxProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  model: DecisionModel;
  text: string;
  outcome: RulingOutcome;
}

/** Higher than the box is with one line. */
const TWO_LINES_PX = 50;

/** One line to write in, which grows with what is written: in a second line it takes all of the width, above the buttons. */
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
  // It stays wide until it is empty: in all of the width the same text may have one line.
  const [wide, setWide] = useState(false);
  if (wide && text === '') setWide(false);
  useEffect(() => {
    const field = ref.current;
    if (field === null) return;
    const observer = new ResizeObserver(() => {
      if (field.offsetHeight > TWO_LINES_PX) setWide(true);
    });
    observer.observe(field);
    return () => observer.disconnect();
  }, [ref]);
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
      className={cn(
        'block max-h-[40dvh] min-h-10 min-w-0 flex-1 resize-none rounded-lg border border-border bg-card px-3 py-2 text-sm leading-relaxed field-sizing-content placeholder:text-muted-foreground focus-visible:outline-offset-0 data-tried:invalid:border-destructive',
        wide ? 'basis-full' : 'basis-56',
      )}
    />
  );
}
