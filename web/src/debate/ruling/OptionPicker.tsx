import { Fragment, useState } from 'react';
import type { AppealOption } from '@/api/types';
import { useT } from '@/i18n';
import { useSelected } from '@/lib/store';
import { Button } from '@/ui/button';
import { Choices } from '@/ui/Choices';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { optionLabel } from '../OptionList';
import type { DecisionModel } from './decisionModel';
import { departures } from './issueDecisions';
import { changeText } from './rulingOutcome';

const NONE: readonly string[] = [];

/** Details that are longer do not fit into the lines that are shown of each. */
const LONG_DETAIL = 80;

/** The options of an appeal, each with what becomes of which issue. */
export function OptionPicker({ model }: { model: DecisionModel }) {
  const t = useT();
  const { options = [] } = model.request.argument;
  const choice = useSelected(model.stored, () => model.draft().choice);
  const departed = useSelected(model.stored, () => {
    const { decisions, offered } = model.draft();
    return departures(decisions, offered)
      .map(([id]) => id)
      .join(' ');
  }).split(' ');
  const [whole, setWhole] = useState(false);
  if (options.length === 0) return null;
  const long = options.some(
    ({ detail = '', label }) => detail.length > LONG_DETAIL || label.length > LONG_DETAIL,
  );
  return (
    <>
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
            <OptionText option={option} whole={whole} departed={index === choice ? departed : NONE} />
          </Fragment>,
        ])}
        className="gap-1.5! *:px-3 *:py-1.5 max-sm:gap-1! max-sm:*:py-1 @xl:grid-cols-2"
        onChoose={(index) => model.choose(Number(index))}
      />
      {long && (
        <Button
          variant="link"
          size="bare"
          aria-expanded={whole}
          className="-mt-1 min-h-6 self-start rounded! text-xs"
          onClick={() => setWhole(!whole)}
        >
          {t(whole ? 'ruling.options.short' : 'ruling.options.whole')}
        </Button>
      )}
    </>
  );
}

interface OptionTextProps {
  option: AppealOption;
  whole: boolean;
  /** The issues on which the ruling decides otherwise. */
  departed: readonly string[];
}

function OptionText({ option, whole, departed }: OptionTextProps) {
  const t = useT();
  const { detail, issue_changes = [] } = option;
  const decides = issue_changes.map((change) => changeText(t, change)).join(' · ');
  return (
    <span dir="auto" className="min-w-0 flex-1 text-sm leading-snug wrap-anywhere">
      <span title={option.label} className={cn(!whole && 'line-clamp-2 max-sm:line-clamp-1')}>
        <InlineText text={optionLabel(option, t('ruling.other'))} />
      </span>
      {detail && (
        <span
          title={detail}
          className={cn(
            'text-[13px] font-normal whitespace-pre-wrap text-muted-foreground',
            whole ? 'block' : decides !== '' ? 'line-clamp-1' : 'line-clamp-2 max-sm:line-clamp-1',
          )}
        >
          <InlineText text={detail} />
        </span>
      )}
      {decides !== '' && (
        <span
          data-decides
          title={decides}
          className={cn('text-xs text-arbitrator tabular-nums', whole ? 'block' : 'line-clamp-1')}
        >
          {issue_changes.map((change, index) => (
            <Fragment key={`${change.issue} ${change.change}`}>
              {index > 0 && ' · '}
              {departed.includes(change.issue ?? '') ? (
                <del title={t('ruling.departed')}>{changeText(t, change)}</del>
              ) : (
                changeText(t, change)
              )}
            </Fragment>
          ))}
        </span>
      )}
    </span>
  );
}
