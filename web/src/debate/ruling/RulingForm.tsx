import { useQuery } from '@tanstack/react-query';
import {
  CheckCheck,
  CircleCheckBig,
  Gavel,
  Lock,
  Maximize2,
  Minimize2,
  OctagonPause,
  Plus,
  Scale,
  Undo2,
} from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { api } from '@/api/client';
import type { Debate, Issue } from '@/api/types';
import { useT } from '@/i18n';
import { useShortcuts } from '@/lib/useShortcuts';
import { contentOf, type PlanComment } from '@/plan/comments';
import { placeText } from '@/plan/lineRanges';
import { QuotationList } from '@/plan/QuotationList';
import { Button } from '@/ui/button';
import { byteLength } from '@/ui/byteSize';
import { cn } from '@/ui/cn';
import { Confirm } from '@/ui/dialog';
import { choicesFor, choiceText, replaceChoiceText } from './appealOptions';
import { type DraftStore, forAppeal, isWritten } from './draft';
import { IssueDecisionList } from './IssueDecisionList';
import {
  type ChangeFault,
  changesOf,
  type IssueDecisions,
  MAX_CHANGES,
  unsettledAfter,
  withNewIssue,
} from './issueDecisions';
import { OptionPicker } from './OptionPicker';
import type { Question } from './question';
import { UnseenPlan, unseenPlan } from './UnseenPlan';
import type { RulingInput } from './useRuling';

interface RulingFormProps {
  debate: Debate;
  question: Question;
  /** Those that are not settled, at least. */
  issues: readonly Issue[];
  draftStore: DraftStore;
  /** The change that the server refused, until it is edited. */
  fault: ChangeFault | null;
  onFaultSeen: () => void;
  busy: boolean;
  onRule: (ruling: RulingInput) => void;
}

const TITLES = {
  appeal: { icon: Scale, title: 'ruling.appeal' },
  'late-appeal': { icon: Scale, title: 'ruling.late' },
  resolution: { icon: CircleCheckBig, title: 'ruling.resolution' },
  intervention: { icon: OctagonPause, title: 'ruling.intervention' },
} as const;

/** The server's default, until it has told its own limit. */
const DEFAULT_MAX_BYTES = 10_240;
/** Of an issue, in characters. */
const MAX_TITLE = 200;

export function RulingForm(props: RulingFormProps) {
  const { debate, question, issues, draftStore, fault, onFaultSeen, busy, onRule } = props;
  const t = useT();
  const box = useRef<HTMLTextAreaElement>(null);
  const raiseButton = useRef<HTMLButtonElement>(null);
  const [confirming, setConfirming] = useState(false);
  const [large, setLarge] = useState(false);

  const appeal = 'appeal' in question ? question.appeal : null;
  const choices = choicesFor(appeal, t('ruling.other'));
  const draft = forAppeal(draftStore.draft, appeal?.id ?? null);
  const content = contentOf(draft.text, draft.comments);
  const bytes = byteLength(content);
  const { data: info } = useQuery({ queryKey: ['info'], queryFn: ({ signal }) => api.info(signal) });
  const maxBytes = info?.limits.max_content_bytes ?? DEFAULT_MAX_BYTES;
  const changes = changesOf(draft, issues);
  const tooMany = changes.length > MAX_CHANGES;
  const titled = draft.raised.every((issue) => issue.title.trim() !== '');
  const valid = titled && !tooMany && bytes <= maxBytes && !busy;
  const ready = content !== '' && valid;
  const unsettled = unsettledAfter(issues, changes);
  const { icon: Icon, title } = TITLES[question.kind];
  const resolution = question.kind === 'resolution';
  const unseen = resolution ? unseenPlan(debate) : null;
  // What is not settled, or not seen by the opponent, is better sent back than closed.
  const agreed = resolution && debate.issue_counts.blocking === 0 && unseen === null;
  const asksToClose = !resolution || unseen !== null || unsettled > 0;
  const continueLabel = resolution ? t('ruling.sendback') : t('ruling.continue');
  const optionKeys = choices.slice(0, 9).map((_, index) => [String(index + 1), () => !busy && choose(index)]);
  useShortcuts({ r: () => box.current?.focus(), ...Object.fromEntries(optionKeys) });

  function choose(index: number) {
    const choice = choices[index];
    if (choice === undefined) return;
    const fill = choiceText(choice.option);
    draftStore.save({ ...draft, text: replaceChoiceText(draft.text, draft.fill, fill), fill, choice: index });
    if (choice.option.free_form) box.current?.focus();
  }

  function rule(close: boolean) {
    const choice = draft.choice === null ? undefined : choices[draft.choice];
    const text = content === '' ? t('ruling.agreed.text') : content;
    onRule({ content: text, close, chosenOption: choice?.index ?? null, changes });
  }

  function decide(next: IssueDecisions, key: string) {
    if (fault?.key === key) onFaultSeen();
    // The control that had the focus is removed with the new issue.
    if (next.raised.length < draft.raised.length) raiseButton.current?.focus();
    draftStore.save({ ...draft, ...next });
  }

  /** A comment becomes an issue that the ruling raises. */
  function raiseFrom(comment: PlanComment) {
    const title = Array.from(comment.text.split('\n')[0] ?? '').slice(0, MAX_TITLE);
    const comments = draft.comments.filter(({ key }) => key !== comment.key);
    const known = { title: title.join(''), location: placeText(comment) };
    draftStore.save({ ...draft, comments, ...withNewIssue(draft, known) });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
    if (
      event.key === 'Enter' &&
      (event.ctrlKey || event.metaKey) &&
      ready &&
      !event.nativeEvent.isComposing
    ) {
      event.preventDefault();
      rule(false);
    }
  }

  return (
    <form onSubmit={(event) => event.preventDefault()} onKeyDown={onKeyDown} className="@container">
      <div className="mb-2.5 flex items-center gap-2 text-sm font-semibold text-arbitrator">
        <Icon aria-hidden className="size-4" />
        <h2>{t(title)}</h2>
        <Button
          ref={raiseButton}
          variant="ghost"
          size="sm"
          disabled={busy}
          title={t('ruling.raise')}
          className="ml-auto h-7! px-2!"
          onClick={() => decide(withNewIssue(draft), '')}
        >
          <Plus aria-hidden />
          <span className="max-sm:sr-only">{t('ruling.raise')}</span>
        </Button>
        <Button
          variant="ghost"
          size="tiny"
          aria-label={large ? t('ruling.shrink') : t('ruling.expand')}
          title={large ? t('ruling.shrink') : t('ruling.expand')}
          onClick={() => setLarge(!large)}
        >
          {large ? <Minimize2 aria-hidden /> : <Maximize2 aria-hidden />}
        </Button>
      </div>
      {unseen && <UnseenPlan plan={unseen} />}
      {choices.length > 0 && (
        <OptionPicker choices={choices} chosen={draft.choice} disabled={busy} onChoose={choose} />
      )}
      <textarea
        ref={box}
        dir="auto"
        aria-label={t('ruling.box')}
        value={draft.text}
        readOnly={busy}
        rows={large ? 14 : 4}
        placeholder={resolution ? t('ruling.placeholder.resolution') : t('ruling.placeholder')}
        onChange={(event) => draftStore.save({ ...draft, text: event.target.value })}
        className="block w-full resize-y rounded-xl border border-border bg-card px-3.5 py-2.5 leading-relaxed placeholder:text-muted-foreground focus-visible:outline-offset-0"
      />
      <QuotationList
        comments={draft.comments}
        disabled={busy}
        onChange={(comments) => draftStore.save({ ...draft, comments })}
        onRaise={raiseFrom}
      />
      <IssueDecisionList
        issues={issues}
        value={draft}
        fault={fault}
        tooMany={tooMany}
        disabled={busy}
        onChange={decide}
      />
      {/* Where both buttons do not fit beside each other, each has a row. */}
      <div className="mt-2.5 flex flex-wrap items-center justify-end gap-2 @max-lg:[&>button]:grow">
        <p className="mr-auto flex gap-3 text-xs text-muted-foreground @max-lg:w-full">
          <span className="@max-lg:hidden">
            {t('ruling.send.hint', { key: 'Ctrl + Enter', what: continueLabel })}
          </span>
          {isWritten(draft) && <span>{t('ruling.saved')}</span>}
          {bytes > maxBytes * 0.8 && (
            <span className={cn('tabular-nums', bytes > maxBytes && 'font-semibold text-destructive')}>
              {t('ruling.bytes', { n: bytes, max: maxBytes })}
            </span>
          )}
        </p>
        <Button
          variant={agreed ? 'primary' : 'outline'}
          disabled={resolution ? !valid : !ready}
          onClick={() => (asksToClose ? setConfirming(true) : rule(true))}
        >
          {resolution ? <CheckCheck aria-hidden /> : <Lock aria-hidden />}
          {resolution
            ? t('ruling.agreed')
            : unsettled > 0
              ? t('ruling.close.unsettled', { n: unsettled })
              : t('ruling.close')}
        </Button>
        <Button variant={agreed ? 'outline' : 'primary'} disabled={!ready} onClick={() => rule(false)}>
          {resolution ? <Undo2 aria-hidden /> : <Gavel aria-hidden />}
          {continueLabel}
        </Button>
      </div>
      <Confirm
        open={confirming}
        onClose={() => setConfirming(false)}
        title={t('ruling.close.title')}
        description={[
          ...(unseen === null ? [] : [t('ruling.unseen', { n: unseen.version })]),
          ...(unsettled === 0 ? [] : [t('ruling.close.unsettled.text', { n: unsettled })]),
          t('ruling.close.text'),
        ].join(' ')}
        confirm={t('ruling.close.yes')}
        cancel={t('dialog.cancel')}
        onConfirm={() => rule(true)}
      />
    </form>
  );
}
