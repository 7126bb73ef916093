import { useQuery } from '@tanstack/react-query';
import { CheckCheck, CircleAlert, Gavel, Lock, Undo2 } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { api } from '@/api/client';
import type { Argument, Debate } from '@/api/types';
import { type Translate, useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { type Store, useStore } from '@/lib/store';
import { useShortcuts } from '@/lib/useShortcuts';
import { contentOf, type PlanComment } from '@/plan/lineComments';
import { placeText } from '@/plan/lineRanges';
import { QuotationList } from '@/plan/QuotationList';
import { Button } from '@/ui/button';
import { byteLength } from '@/ui/byteSize';
import { cn } from '@/ui/cn';
import { Confirm } from '@/ui/dialog';
import { InlineText, withoutMarks } from '@/ui/InlineText';
import { Link } from '@/ui/Link';
import { lazyComponent } from '@/ui/lazyComponent';
import { TextSkeleton } from '@/ui/Skeleton';
import type { RulingChange } from '@/websocket/messages';
import { optionLabel } from '../OptionList';
import { createDraft, type Draft, forAppeal, isWritten } from './draft';
import { IssueCards } from './IssueCards';
import { changesOf, type IssueDecisions, MAX_CHANGES, unsettledAfter, withNewIssue } from './issueDecisions';
import { Loading, OptionPicker, RequestLine, Said, Unfold } from './Question';
import { optionText, type RulingRequest, unseenPlan, useRulingRequest } from './rulingRequest';
import { useRuling } from './undo/unsentRulings';

const PlanSinceRuling = lazyComponent(
  () => import('./PlanSinceRuling'),
  () => <TextSkeleton />,
);

/** Of an issue, in characters. */
const MAX_TITLE = 200;
/** Of those that stay open when a debate is closed. */
const NAMED_ISSUES = 5;
const NONE = [] as const;
/** Before the server has told them. */
const NO_RULES = {};

interface DecisionProps {
  debate: Debate;
  /** Shared with what is beside it. */
  draft?: Store<Draft>;
  /** More of the arguments, to tell which of them changed the plan. */
  args?: readonly Argument[];
  /** In a card of the inbox, which has its title and what is asked above it. */
  folded?: boolean;
}

/** What the arbitrator has to decide, in the order in which it is read: question, options, issues, plan, ruling. */
export function Decision({ debate, ...others }: DecisionProps) {
  const query = useRulingRequest(debate);
  if (query.data === undefined) return <Loading query={query} />;
  return <DecisionForm debate={debate} request={query.data} {...others} />;
}

function DecisionForm({
  debate,
  request,
  draft: shared,
  args = NONE,
  folded = false,
}: DecisionProps & { request: RulingRequest }) {
  const t = useT();
  const box = useRef<HTMLTextAreaElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [tried, setTried] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const [stored] = useState(() => shared ?? createDraft(debate.id));
  const { busy, fault, clearFault, rule } = useRuling(debate);

  const { argument, toFinish, agreed, stop, other, issues, moves } = request;
  const { options = NONE } = argument;
  const draft = forAppeal(useStore(stored), options.length > 0 ? argument.id : null);
  const changes = changesOf(draft, issues);
  const written = [optionText(options[draft.choice ?? -1]), draft.text.trim()].filter(Boolean).join('\n\n');
  const words = contentOf(written, draft.comments);
  const content = words || (changes.length > 0 ? t('ruling.decided.text') : '');
  const bytes = byteLength(content);
  const { data: info } = useQuery({ queryKey: ['info'], queryFn: ({ signal }) => api.info(signal) });
  const maxBytes = info?.limits.max_content_bytes ?? Number.POSITIVE_INFINITY;
  const tooMany = changes.length > MAX_CHANGES;
  const valid = !tooMany && bytes <= maxBytes && !busy;
  const rules = info?.issue_changes ?? NO_RULES;
  const unsettled = unsettledAfter(issues, changes, rules);
  const against = unsettled.length > 0 ? `, ${t('issues.unsettled', { n: unsettled.length })}` : '';
  const unsettledIssues = issues.filter(({ id }) => unsettled.includes(id)).slice(0, NAMED_ISSUES);
  // What is sent, in short: the options may be far above the buttons.
  const chosen = options[draft.choice ?? -1];
  const missing = (chosen?.free_form ? words : content) === '';
  const left = issues.filter(({ id, referred }) => referred && !changes.some(({ key }) => key === id));
  const summary = [
    ...(chosen === undefined ? [] : [optionLabel(chosen, t('ruling.other'))]),
    ...changes.filter(({ change }) => change.title !== '').map(({ change }) => changeText(t, change)),
    ...(chosen === undefined
      ? []
      : left.map(({ id, status }) => t('ruling.summary.left', { id, status: t.label('status', status) }))),
  ].join(' · ');

  const unseen = toFinish || stop === null ? unseenPlan(debate) : null;
  const asksToClose = !agreed || unsettled.length > 0;
  const goesOn = toFinish ? t('ruling.sendback') : t('ruling.continue');
  const canGoOn = valid && moves.some(({ close }) => !close);
  useShortcuts({
    r: () => box.current?.focus(),
    ...Object.fromEntries(options.slice(0, 9).map((_, index) => [String(index + 1), () => choose(index)])),
  });

  const save = (change: Partial<Draft>) => stored.set({ ...draft, ...change });

  function choose(choice: number) {
    if (busy) return;
    save({ choice });
    if (options[choice]?.free_form) box.current?.focus();
  }

  /** Whether nothing is missing; what is gets the focus, and says so. Agreeing needs no words. */
  function isComplete(close: boolean): boolean {
    const fields = form.current?.querySelectorAll<HTMLTextAreaElement>('textarea:invalid') ?? [];
    const empty = [...fields].find((field) => field !== box.current || !(close && toFinish));
    setTried(empty !== undefined);
    empty?.focus();
    return empty === undefined;
  }

  function send(close: boolean) {
    if (!isComplete(close)) return;
    const text = content === '' ? t('ruling.agreed.text') : content;
    const open = unsettledIssues.map(({ id, severity }) => `${id} ${t.label('severity', severity)}`);
    const effect = close
      ? t('unsent.close') + against + (open.length > 0 ? ` (${open.join(', ')})` : '')
      : t(toFinish ? 'unsent.sendback' : 'unsent.continue');
    const [line = ''] = draft.text.trim().split('\n');
    const said = [summary, line].filter(Boolean).join(' · ');
    rule({ content: text, close, chosenOption: draft.choice, changes, effect, summary: said });
  }

  function decide(next: IssueDecisions, key: string) {
    if (fault?.key === key) clearFault();
    save(next);
  }

  /** A comment becomes an issue that the ruling raises. */
  function raiseFrom(comment: PlanComment) {
    const title = Array.from(comment.text.split('\n')[0] ?? '').slice(0, MAX_TITLE);
    const known = { title: title.join(''), location: placeText(comment) };
    save({
      comments: draft.comments.filter(({ key }) => key !== comment.key),
      ...withNewIssue(draft, known),
    });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
    const sends = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing;
    if (!sends || !canGoOn) return;
    event.preventDefault();
    send(false);
  }

  return (
    <form
      ref={form}
      data-tried={tried || undefined}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={onKeyDown}
      className="group/form @container relative"
    >
      <fieldset disabled={busy} className="min-w-0">
        {!folded && (
          <>
            <h2 className="sr-only">{t('ruling.decision')}</h2>
            <RequestLine counts={debate.issue_counts} request={request}>
              <Link
                href={debatePath(debate.id, argument.seq)}
                className="mb-3 ml-auto rounded-lg border bg-card px-2.5 py-1 text-[13px] font-medium text-foreground hover:bg-accent"
              >
                {t('ruling.debate')}
              </Link>
            </RequestLine>
          </>
        )}
        <Said argument={argument} />
        {stop !== null && stop !== argument && (
          <div className="mt-3 rounded-xl bg-arbitrator-soft px-3.5 py-2.5">
            <Said argument={stop} />
          </div>
        )}
        {unseen && (
          <p
            role="status"
            className="mt-3 flex items-center gap-2.5 rounded-xl border border-destructive/30 bg-destructive-soft px-3.5 py-2 text-sm"
          >
            <CircleAlert aria-hidden className="size-4 shrink-0 text-destructive" />
            {t('ruling.unseen', { n: unseen.version })}
          </p>
        )}
        {options.length > 0 && <OptionPicker options={options} chosen={draft.choice} onChoose={choose} />}
        {request.motion !== argument && (
          <Unfold title={t('ruling.task', { seq: request.motion.seq })}>
            {() => <Said argument={request.motion} />}
          </Unfold>
        )}
        {other !== null && (
          <Unfold title={t('ruling.other.said', { role: t.label('role', other.role), seq: other.seq })}>
            {() => <Said argument={other} />}
          </Unfold>
        )}
        <IssueCards
          debateId={debate.id}
          issues={issues}
          rules={rules}
          value={draft}
          fault={fault}
          tooMany={tooMany}
          onChange={decide}
        />
        {debate.plan && (
          <section aria-label={t('ruling.plan')} className="mt-6">
            <h3 className="mb-2 text-sm font-semibold">{t('ruling.plan')}</h3>
            <PlanSinceRuling
              debateId={debate.id}
              plan={debate.plan}
              ruledAt={request.ruledAt}
              args={args}
              issues={issues}
              folded={folded}
            />
          </section>
        )}
        <h3 className="mt-6 mb-2 flex flex-wrap gap-x-3 text-sm font-semibold">
          {t('ruling.box')}
          {tried && missing && (
            <span id="ruling-missing" className="text-[13px] font-normal text-destructive">
              {t('ruling.missing')}
            </span>
          )}
        </h3>
        <textarea
          ref={(field) => {
            box.current = field;
            field?.setCustomValidity(missing ? t('ruling.missing') : '');
          }}
          data-ruling-box={debate.id}
          aria-describedby="ruling-missing"
          dir="auto"
          aria-label={t('ruling.box')}
          value={draft.text}
          rows={3}
          placeholder={t(
            toFinish
              ? 'ruling.placeholder.resolution'
              : chosen === undefined || chosen.free_form
                ? 'ruling.placeholder'
                : 'ruling.placeholder.option',
          )}
          onChange={(event) => save({ text: event.target.value })}
          className="block max-h-[50dvh] min-h-20 w-full resize-y rounded-xl border border-border bg-card px-3.5 py-2.5 leading-relaxed field-sizing-content placeholder:text-muted-foreground focus-visible:outline-offset-0 group-data-tried/form:invalid:border-destructive"
        />
        <QuotationList
          comments={draft.comments}
          onChange={(comments) => save({ comments })}
          onRaise={raiseFrom}
        />
        {/* Where both buttons do not fit beside each other, each has a row. */}
        <div
          data-ruling-buttons
          className={cn(
            'sticky bottom-0 z-10 mt-4 flex flex-wrap items-center justify-end gap-2 border-t py-2.5 shadow-[0_-10px_14px_-10px_rgb(0_0_0/0.25)] @max-lg:[&_svg]:hidden @max-lg:[&>button]:max-w-full @max-lg:[&>button]:grow @max-lg:[&>button]:px-2! @max-lg:[&>button]:whitespace-normal! [@media(max-height:32rem)]:static',
            folded ? '-mx-4 bg-card px-4 sm:-mx-5 sm:px-5' : '-mx-3 bg-background px-3 sm:-mx-6 sm:px-6',
          )}
        >
          {summary !== '' && (
            <p dir="auto" data-ruling-summary className="line-clamp-3 w-full text-[13px] wrap-anywhere">
              <InlineText text={t('ruling.summary', { what: summary })} />
            </p>
          )}
          <p className="mr-auto flex gap-3 text-xs text-muted-foreground @max-lg:hidden">
            <span>Ctrl + Enter: {goesOn}</span>
            {isWritten(draft) && <span>{t('ruling.saved')}</span>}
          </p>
          {bytes > maxBytes * 0.8 && (
            <p
              className={cn(
                'text-xs text-muted-foreground tabular-nums',
                bytes > maxBytes && 'font-semibold text-destructive',
              )}
            >
              {t('ruling.bytes', { n: bytes, max: maxBytes })}
            </p>
          )}
          {moves.some(({ close }) => close) && (
            <Button
              variant={agreed ? 'primary' : 'outline'}
              disabled={!valid}
              onClick={() => (!asksToClose ? send(true) : isComplete(true) && setConfirming(true))}
            >
              {toFinish ? <CheckCheck aria-hidden /> : <Lock aria-hidden />}
              <span>
                {t(toFinish ? 'ruling.agreed' : 'ruling.close')}
                {against}
              </span>
            </Button>
          )}
          {moves.some(({ close }) => !close) && (
            <Button variant={agreed ? 'outline' : 'primary'} disabled={!canGoOn} onClick={() => send(false)}>
              {toFinish ? <Undo2 aria-hidden /> : <Gavel aria-hidden />}
              {goesOn}
            </Button>
          )}
        </div>
      </fieldset>
      <Confirm
        open={confirming}
        onClose={() => setConfirming(false)}
        title={t('ruling.close.title')}
        description={withoutMarks(
          [
            ...(unseen === null ? [] : [t('ruling.unseen', { n: unseen.version })]),
            ...(summary === '' ? [] : [`${t('ruling.summary', { what: summary })}.`]),
            ...(unsettled.length === 0 ? [] : [`${t('issues.unsettled', { n: unsettled.length })}.`]),
            ...unsettledIssues.map(({ id, title }) => `${id}: ${title}.`),
            t('ruling.close.text'),
          ].join(' '),
        )}
        confirm={t('ruling.close.yes')}
        onConfirm={() => send(true)}
      />
    </form>
  );
}

/** A change in short, such as `I2 upheld`. */
function changeText(t: Translate, { change, issue, title, severity }: RulingChange): string {
  const grade = severity && `(${t.label('severity', severity)})`;
  return [issue, t.label('change', change), title && `“${title}”`, grade].filter(Boolean).join(' ');
}
