import { Fragment, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import type { AppealOption } from '@/api/types';
import { useT } from '@/i18n';
import { useSelected } from '@/lib/store';
import { Beginning } from '@/ui/Beginning';
import { Button } from '@/ui/button';
import { Choices } from '@/ui/Choices';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { IssueLinksContext } from '@/ui/IssueLink';
import { HIGH_SCREEN, ROOMY_SCREEN, useMediaQuery } from '@/ui/useMediaQuery';
import { type Comparison, FEW_ISSUES } from '../compareOptions';
import { DecidedTitles } from '../DecidedTitles';
import { DecidesNone, decidesNone, OptionDecides, undecidedBy } from '../OptionDecides';
import { optionLabel } from '../OptionList';
import { DecidedInShort, OptionTable } from '../OptionTable';
import { ChangeLegend } from './ChangeLegend';
import type { DecisionModel } from './decisionModel';
import { departures } from './issueDecisions';

const NONE = [] as const;
/** In letters: about two lines. */
const MOST_OF_DETAIL = 90;

interface OptionPickerProps {
  model: DecisionModel;
  /** What the options make of many issues, which a table shows. */
  comparison: Comparison | null;
  /** Whether the titles of the issues stand above. */
  isNamed: boolean;
  /** Whether each issue has a card of its own, in which its decision may have a note. */
  hasCards: boolean;
  /** Shows where an issue is decided; false if it is not. */
  onShow: (id: string) => boolean;
  /** What stands before the table of many issues: to decide, one chooses an option and reads what that decides. */
  children: ReactNode;
}

/** The options of an appeal, each with what becomes of which issue. */
export function OptionPicker(props: OptionPickerProps) {
  const { model, comparison, isNamed, hasCards, onShow, children } = props;
  const t = useT();
  const { argument, issues, ledger } = model.request;
  const { options = NONE } = argument;
  const choice = useSelected(model.stored, () => model.draft().choice);
  const made = useSelected(model.stored, () => {
    const { decisions, offered } = model.draft();
    return departures(decisions, offered)
      .map(([id]) => `${id} ${decisions[id]?.change ?? ''}`)
      .join('|');
  })
    .split('|')
    .map((each) => each.split(' '));
  const departed = made.map(([id = '']) => id);
  const roomy = useMediaQuery(ROOMY_SCREEN);
  const high = useMediaQuery(HIGH_SCREEN);
  const [whole, setWhole] = useState(false);
  const links = useContext(IssueLinksContext);
  // Whether something of them is cut depends on the width.
  const frame = useRef<HTMLDivElement>(null);
  const [cut, setCut] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (element === null || whole) return;
    const observer = new ResizeObserver(() => {
      const texts = [...element.querySelectorAll('[data-cut]')];
      const shortened = element.querySelector('[data-shortened]') !== null;
      setCut(shortened || texts.some(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [whole]);
  if (options.length === 0) return children;
  const few = comparison !== null && comparison.rows.length <= FEW_ISSUES;
  const find = (id: string) => ledger.find((issue) => issue.id === id);
  const effects = options.flatMap(({ issue_changes = [] }) => issue_changes);
  const verbsBefore = (index: number) =>
    options.slice(0, index).flatMap(({ issue_changes = [] }) => issue_changes.map(({ change }) => change));
  const toCards = links && { ...links, show: (id: string) => onShow(id) || links.show(id) };
  const none = options.map((option) => decidesNone(option, options, issues));
  const allNone = options.every(({ free_form }, index) => free_form || none[index]);
  const table = comparison !== null && (
    <section>
      <h3 className="my-1 text-sm font-medium">{t('ruling.options.compared')}</h3>
      <div className="rounded-lg border bg-card px-1.5">
        <OptionTable
          options={options}
          comparison={comparison}
          chosen={choice}
          departed={departed}
          whole={whole}
          model={model}
          hasCards={hasCards}
        />
      </div>
    </section>
  );
  return (
    <>
      <IssueLinksContext value={toCards}>
        <div ref={frame} className="grid grid-cols-1 gap-1">
          {allNone && (
            <p data-decides-none className="text-xs font-medium text-warning">
              {t('ruling.options.none.all')}
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
                  option={option}
                  whole={whole || index === choice}
                  none={!allNone && none[index] === true}
                >
                  {/* Beside others the card keeps its height: the table, which is in view then, names the issues. */}
                  {comparison !== null &&
                  !few &&
                  !roomy &&
                  index === choice &&
                  option.issue_changes?.length ? (
                    <DecidedTitles
                      changes={option.issue_changes}
                      find={find}
                      undecided={undecidedBy(option, issues)}
                      madeOf={(id) => {
                        const [, change] = made.find(([departs]) => departs === id) ?? [];
                        if (change === undefined) return undefined;
                        return change === '' ? t('ruling.options.undecided') : t.label('change', change);
                      }}
                    />
                  ) : comparison?.columns.includes(index) ? (
                    <DecidedInShort comparison={comparison} index={index} />
                  ) : (
                    <OptionDecides
                      changes={option.issue_changes}
                      find={find}
                      undecided={undecidedBy(option, issues)}
                      departed={index === choice ? departed : NONE}
                      explained={whole ? null : verbsBefore(index)}
                      titled={!isNamed && (whole || index === choice)}
                      notes={whole || index === choice ? 'whole' : high ? 'short' : 'none'}
                    />
                  )}
                </OptionText>
              </Fragment>,
            ])}
            className="gap-1.5! *:px-3 *:py-1.5 max-sm:gap-1! max-sm:*:py-1 @xl:grid-cols-2"
            onChoose={(index) => model.choose(Number(index))}
          />
          <div className="flex flex-wrap items-center gap-x-3 text-xs text-muted-foreground empty:hidden">
            {(cut || whole) && (
              <Button
                variant="link"
                size="bare"
                aria-expanded={whole}
                className="min-h-6 rounded! text-xs"
                onClick={() => setWhole(!whole)}
              >
                {t(whole ? 'ruling.options.short' : 'ruling.options.whole')}
              </Button>
            )}
            {(comparison !== null || whole) && (
              <ChangeLegend label="change" changes={effects.map(({ change }) => change)} />
            )}
          </div>
          {few && table}
        </div>
      </IssueLinksContext>
      {children}
      {!few && <IssueLinksContext value={toCards}>{table}</IssueLinksContext>}
    </>
  );
}

interface OptionTextProps {
  option: AppealOption;
  whole: boolean;
  /** Whether it is said that it decides no issue. */
  none: boolean;
  /** What it decides otherwise. */
  children: ReactNode;
}

function OptionText({ option, whole, none, children }: OptionTextProps) {
  const t = useT();
  const { detail } = option;
  return (
    <span dir="auto" className="min-w-0 flex-1 text-sm leading-snug wrap-anywhere">
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span data-cut title={option.label} className={cn('max-w-full shrink-0', !whole && 'line-clamp-2')}>
          <InlineText text={optionLabel(option, t('ruling.other'))} />
        </span>
        {/* A line of its own would take room from the issues below. */}
        {none && !detail && <DecidesNone />}
        {option.free_form && !detail && (
          <span className="text-[13px] font-normal text-muted-foreground">{t('ruling.other.how')}</span>
        )}
      </span>
      {detail && (
        <span
          title={detail}
          className="block text-[13px] font-normal whitespace-pre-wrap text-muted-foreground"
        >
          <Beginning text={detail} letters={MOST_OF_DETAIL} whole={whole} brief>
            {(shown) => <InlineText text={shown} />}
          </Beginning>
          {none && (
            <>
              {' · '}
              <DecidesNone />
            </>
          )}
        </span>
      )}
      {!none && children}
    </span>
  );
}
