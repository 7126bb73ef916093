import { type KeyboardEvent, type MouseEvent, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import type { Store } from '@/lib/store';
import { useShortcuts } from '@/lib/useShortcuts';
import { Link } from '@/ui/Link';
import { ROOMY_SCREEN, useMediaQuery } from '@/ui/useMediaQuery';
import { compareOptions, issuesToName } from '../compareOptions';
import { MOST_TITLES } from '../OptionDecides';
import { AgreementNotice } from './AgreementNotice';
import { AskedIssues } from './AskedIssues';
import { useDecisionModel } from './decisionModel';
import type { Draft } from './draft';
import { IssueCards } from './IssueCards';
import { IssuesSoFar } from './IssuesSoFar';
import { OptionPicker } from './OptionPicker';
import { PlanSinceRuling } from './PlanSinceRuling';
import { BothSides, Said, Unfold } from './Question';
import { RequestLine } from './RequestLine';
import { ResolutionNotes } from './ResolutionNotes';
import { RulingBar } from './RulingBar';
import { RulingComments } from './RulingComments';
import { resolutionLists } from './resolutionLists';
import type { RulingRequest } from './rulingRequest';
import { isIdleInBar } from './StickyBar';
import { showCard } from './showCard';
import { placeOfWords } from './sideText';
import { useRuling } from './undo/unsentRulings';

const NONE = [] as const;
/** What is asked is folded after so many lines, so that options and buttons are in view with it. */
const QUESTION_LINES = 8;
/** On a phone issues whose words stand apart are named by their titles under a question of so many letters: the options need the room. */
const SHORT_QUESTION = 350;

/** Whether the focus is where something else is decided or written: a digit that is typed there is meant for that. */
const isBelowOptions = () =>
  document.activeElement?.closest('[data-decide], [data-compared-issue], [data-ruling-buttons]') != null;

interface DecisionProps {
  debate: Debate;
  request: RulingRequest;
  /** Shared with what is beside it. */
  draft?: Store<Draft>;
  /** In a card of the inbox, which has its title and what is asked above it. */
  inCard?: boolean;
}

/** What the arbitrator has to decide: question, both sides, options and the ruling; the rest folded below. */
export function Decision({ debate, request, draft: shared, inCard = false }: DecisionProps) {
  const t = useT();
  const form = useRef<HTMLFormElement>(null);
  const { busy, fault } = useRuling(debate);
  const model = useDecisionModel(debate, request, shared);
  const { argument, stop, motion } = request;
  const { options = NONE } = argument;
  const { toFinish } = request;
  const { content } = argument;
  const roomy = useMediaQuery(ROOMY_SCREEN);
  const asked = useMemo(() => issuesToName(options, request.ledger, MOST_TITLES), [options, request.ledger]);
  const words = placeOfWords(request, asked);
  const named = words === 'titles' || roomy || content.length <= SHORT_QUESTION ? asked : NONE;
  const comparison = useMemo(() => compareOptions(options, request.ledger), [options, request.ledger]);
  const [folded, setFolded] = useState(comparison !== null);
  // Its lists are told once, each line with what takes it into the ruling.
  const { text, lists } = useMemo(
    () => (toFinish ? resolutionLists(content) : { text: content, lists: NONE }),
    [toFinish, content],
  );
  useShortcuts(
    Object.fromEntries(
      options
        .slice(0, 9)
        .map((_, index) => [String(index + 1), () => !busy && !isBelowOptions() && model.choose(index)]),
    ),
  );

  /** Shows where an issue is decided, further down on this page; false if it is not. */
  function showIssue(id: string): boolean {
    if (request.issues.some((issue) => issue.id === id)) flushSync(() => setFolded(false));
    return showCard(form.current, id);
  }

  /** Ctrl+Enter does what the button beside the box says. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
    const sends = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing;
    if (!sends) return;
    event.preventDefault();
    form.current?.querySelector<HTMLButtonElement>('[data-primary]')?.click();
  }

  /** A click on the texts of the bar leads to its box: where nothing has the focus, what is typed would be taken for shortcuts. */
  function onClick(event: MouseEvent) {
    if (isIdleInBar(event)) form.current?.querySelector<HTMLElement>('[data-ruling-box]')?.focus();
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
      onClick={onClick}
      className="group/form @container relative flex grow flex-col"
    >
      <fieldset
        disabled={busy}
        className="flex min-w-0 grow flex-col gap-2 max-sm:gap-1.5 [@media(max-height:52rem)]:gap-1.5"
      >
        {!inCard && (
          <>
            <h2 className="sr-only">{t('ruling.decision')}</h2>
            <RequestLine debate={debate}>
              <Link
                href={debatePath(debate.id, argument.seq)}
                // On a phone it reaches beyond its line, to the 44 px of a finger.
                className="relative ml-auto rounded-lg border bg-card px-2.5 py-1 text-[13px] font-medium text-foreground max-sm:px-2 max-sm:text-xs after:absolute after:inset-x-0 after:-inset-y-2 hover:bg-accent sm:after:hidden"
              >
                {t('ruling.debate')}
              </Link>
            </RequestLine>
          </>
        )}
        {/* Before the words of the proposer, who may say otherwise. */}
        <AgreementNotice debate={debate} request={request} model={model} />
        <div className="max-sm:text-sm">
          <Said
            argument={text === content ? argument : { ...argument, content: text }}
            lines={QUESTION_LINES}
          />
        </div>
        {stop !== null && stop !== argument && (
          <div className="rounded-xl bg-arbitrator-soft px-3.5 py-2.5">
            <Said argument={stop} lines={QUESTION_LINES} />
          </div>
        )}
        <IssuesSoFar debate={debate} request={request} />
        <ResolutionNotes model={model} lists={lists} />
        {named.length > 0 && (
          <AskedIssues issues={named} onShow={showIssue} {...(words === 'titles' && { model })} />
        )}
        {words === 'sides' && <BothSides request={request} beforeOptions={options.length > 0} />}
        <OptionPicker
          model={model}
          comparison={comparison}
          isNamed={named.length > 0}
          hasCards={!folded}
          onShow={showIssue}
        >
          <RulingComments model={model} />
          {debate.plan && <PlanSinceRuling model={model} plan={debate.plan} />}
        </OptionPicker>
        <IssueCards
          model={model}
          words={words}
          named={named}
          folding={comparison && { folded, onFold: setFolded }}
          fault={fault}
        />
        {words !== 'sides' && (
          <Unfold title={t('ruling.sides')}>
            {() => (
              // Its notes on the issues stand above.
              <BothSides request={{ sides: request.sides, issues: NONE }} beforeOptions={false} />
            )}
          </Unfold>
        )}
        {motion !== argument && (
          <Unfold title={t('ruling.task', { seq: motion.seq })}>{() => <Said argument={motion} />}</Unfold>
        )}
        <RulingBar model={model} inCard={inCard} busy={busy} />
      </fieldset>
    </form>
  );
}
