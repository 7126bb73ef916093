import { Fragment, useEffect, useRef, useState } from 'react';
import type { AppealOption, Issue } from '@/api/types';
import { useT } from '@/i18n';
import { useSelected } from '@/lib/store';
import { Button } from '@/ui/button';
import { Choices } from '@/ui/Choices';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { OptionDecides, sameInAll, undecidedBy, without } from '../OptionDecides';
import { optionLabel } from '../OptionList';
import type { DecisionModel } from './decisionModel';
import { departures } from './issueDecisions';

const NONE: readonly string[] = [];

/** The options of an appeal, each with what becomes of which issue. */
export function OptionPicker({ model }: { model: DecisionModel }) {
  const t = useT();
  const { argument, issues, ledger } = model.request;
  const { options = [] } = argument;
  const choice = useSelected(model.stored, () => model.draft().choice);
  const departed = useSelected(model.stored, () => {
    const { decisions, offered } = model.draft();
    return departures(decisions, offered)
      .map(([id]) => id)
      .join(' ');
  }).split(' ');
  const [whole, setWhole] = useState(false);
  // Whether something of them is cut depends on the width.
  const frame = useRef<HTMLDivElement>(null);
  const [cut, setCut] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (element === null || whole) return;
    const observer = new ResizeObserver(() => {
      const texts = [...element.querySelectorAll('[data-cut]')];
      setCut(texts.some(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [whole]);
  if (options.length === 0) return null;
  const find = (id: string) => ledger.find((issue) => issue.id === id);
  const same = sameInAll(options);
  return (
    <div ref={frame} className="grid gap-1">
      {same.length > 0 && (
        <p data-same className="text-xs text-muted-foreground">
          {t('ruling.options.same', { last: options.filter(({ free_form }) => !free_form).length })}{' '}
          <OptionDecides changes={same} find={find} departed={departed} whole={whole || choice !== null} />
        </p>
      )}
      <Choices
        look="cards"
        label={t('ruling.options')}
        chosen={choice === null ? null : String(choice)}
        choices={options.map((option, index) => [
          String(index),
          <Fragment key={option.label}>
            <span
              aria-hidden
              className="text-sm leading-snug font-semibold text-muted-foreground tabular-nums"
            >
              {index + 1}
            </span>
            <OptionText
              option={without(same, option)}
              find={find}
              undecided={undecidedBy(option, options, issues)}
              whole={whole || index === choice}
              departed={index === choice ? departed : NONE}
            />
          </Fragment>,
        ])}
        className="gap-1.5! *:px-3 *:py-1.5 max-sm:gap-1! max-sm:*:py-1 @xl:grid-cols-2"
        onChoose={(index) => model.choose(Number(index))}
      />
      {(cut || whole) && (
        <Button
          variant="link"
          size="bare"
          aria-expanded={whole}
          className="min-h-6 justify-self-start rounded! text-xs"
          onClick={() => setWhole(!whole)}
        >
          {t(whole ? 'ruling.options.short' : 'ruling.options.whole')}
        </Button>
      )}
    </div>
  );
}

interface OptionTextProps {
  option: AppealOption;
  find: (id: string) => Issue | undefined;
  /** The issues that the appeal refers and that the option leaves as they are. */
  undecided: readonly string[];
  whole: boolean;
  /** The issues on which the ruling decides otherwise. */
  departed: readonly string[];
}

function OptionText({ option, find, undecided, whole, departed }: OptionTextProps) {
  const t = useT();
  const { detail } = option;
  return (
    <span dir="auto" className="min-w-0 flex-1 text-sm leading-snug wrap-anywhere">
      <span data-cut title={option.label} className={cn(!whole && 'line-clamp-2 max-sm:line-clamp-1')}>
        <InlineText text={optionLabel(option, t('ruling.other'))} />
      </span>
      {detail && (
        <span
          data-cut
          title={detail}
          className={cn(
            'text-[13px] font-normal whitespace-pre-wrap text-muted-foreground',
            whole ? 'block' : 'line-clamp-2',
          )}
        >
          <InlineText text={detail} />
        </span>
      )}
      <OptionDecides
        changes={option.issue_changes}
        find={find}
        undecided={undecided}
        departed={departed}
        whole={whole}
      />
    </span>
  );
}
