import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { api } from '@/api/client';
import type { Issue, IssueHistoryEntry } from '@/api/types';
import { useT } from '@/i18n';
import { HistoryEntry } from '@/issues/HistoryEntry';
import { IssueHead } from '@/issues/IssueHead';
import { Button, IconButton } from '@/ui/button';
import { Choices } from '@/ui/Choices';
import { SeveritySelect, TextField } from '@/ui/fields';
import { InlineText } from '@/ui/InlineText';
import { IssueLink } from '@/ui/IssueLink';
import { ChangeFaultText } from './ChangeFaultText';
import {
  type ChangeFault,
  type ChangeRules,
  type Choice,
  choicesOf,
  type Decision,
  type IssueDecisions,
  MAX_CHANGES,
  type NewIssue,
  needsNote,
  nextSeverity,
  withDecision,
  withNewIssue,
} from './issueDecisions';
import { Loading, Said, Unfold } from './Question';

const FIRST_ISSUES = 3;
/** Each has many controls: hundreds of them at once would block the page. */
const MORE_ISSUES = 20;

interface IssueCardsProps {
  debateId: string;
  /** Those on which a ruling may decide. */
  issues: readonly Issue[];
  rules: ChangeRules;
  value: IssueDecisions;
  fault: ChangeFault | null;
  tooMany: boolean;
  onChange: (value: IssueDecisions, key: string) => void;
}

/** The issues on which the ruling may decide, those that the appeal refers to whole, and those that it raises. */
export function IssueCards({ debateId, issues, rules, value, fault, tooMany, onChange }: IssueCardsProps) {
  const t = useT();
  const referred = issues.some((issue) => issue.referred);
  const [most, setMost] = useState(0);
  const raiseButton = useRef<HTMLButtonElement>(null);
  // A new issue gets the focus, one from the draft does not.
  const [former] = useState(() => new Set(value.raised.map(({ key }) => key)));
  const offered = most + (referred ? 0 : FIRST_ISSUES);
  const shown = issues.filter(
    (issue, index) => issue.referred || index < offered || Object.hasOwn(value.decisions, issue.id),
  );
  const hidden = issues.length - shown.length;

  function replace(key: string, issue: NewIssue | null) {
    const raised = value.raised.flatMap((one) => (one.key !== key ? one : (issue ?? [])));
    // The control that had the focus is removed with the new issue.
    if (issue === null) raiseButton.current?.focus();
    onChange({ decisions: value.decisions, raised }, key);
  }

  return (
    <section aria-label={t('ruling.issues')} className="mt-6">
      {issues.length > 0 && (
        <h3 className="mb-2 text-sm font-semibold">
          {t(referred ? 'ruling.issues.referred' : 'ruling.issues')}
        </h3>
      )}
      <ul className="grid gap-2">
        {shown.map((issue) => (
          <IssueCard
            key={issue.id}
            debateId={debateId}
            issue={issue}
            rules={rules}
            decision={value.decisions[issue.id] ?? null}
            fault={fault?.key === issue.id ? fault : null}
            onDecide={(decision) => onChange(withDecision(value, issue.id, decision), issue.id)}
          />
        ))}
        {value.raised.map((issue) => (
          <NewIssueRow
            key={issue.key}
            issue={issue}
            added={!former.has(issue.key)}
            fault={fault?.key === issue.key ? fault : null}
            onChange={(changed) => replace(issue.key, changed)}
          />
        ))}
      </ul>
      {tooMany && (
        <p role="alert" className="mt-1 text-[13px] text-destructive">
          {t('ruling.issues.tooMany', { n: MAX_CHANGES })}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {hidden > 0 && (
          <Button size="sm" onClick={() => setMost(shown.length + MORE_ISSUES)}>
            {t('ruling.issues.more', { n: Math.min(hidden, MORE_ISSUES) })}
          </Button>
        )}
        <Button ref={raiseButton} size="sm" variant="ghost" onClick={() => onChange(withNewIssue(value), '')}>
          <Plus aria-hidden />
          {t('ruling.raise')}
        </Button>
      </div>
    </section>
  );
}

/** What comes of an issue that the proposer says is fixed. */
const FIXED = {
  leave: 'ruling.issues.leave.fixed',
  uphold: 'ruling.issues.uphold.fixed',
  dismiss: 'ruling.issues.dismiss.fixed',
} as const;

interface IssueCardProps {
  debateId: string;
  issue: Issue;
  rules: ChangeRules;
  decision: Decision | null;
  fault: ChangeFault | null;
  onDecide: (decision: Decision | null) => void;
}

/** One issue: its place, its evidence, what each side said last about it, and what the ruling makes of it. */
function IssueCard({ debateId, issue, rules, decision, fault, onDecide }: IssueCardProps) {
  const t = useT();
  // What was chosen with the arrow keys leaves them the focus, to go on to the next choice.
  const [byPointer, setByPointer] = useState('');
  const { id, severity, title, status, raised_seq, history = [] } = issue;
  const words = lastWords(history);
  const does = (change: Choice | 'leave') =>
    t(
      status === 'fixed' && change in FIXED
        ? FIXED[change as keyof typeof FIXED]
        : `ruling.issues.${change}.does`,
    );

  function choose(change: Choice | 'leave') {
    setByPointer(document.activeElement?.matches(':focus-visible') ? '' : change);
    onDecide(change === 'leave' ? null : { note: '', ...decision, change });
  }

  const needed = decision !== null && needsNote(decision.change, rules);
  return (
    <li data-decide={id} className="rounded-xl border px-3.5 py-3">
      <IssueHead
        issue={issue}
        id={
          <IssueLink
            id={id}
            className="rounded font-mono text-xs font-semibold text-foreground underline decoration-dotted underline-offset-3"
          >
            {id}
          </IssueLink>
        }
        title={
          <h4 dir="auto" className="mt-1 text-sm leading-snug font-medium wrap-anywhere">
            <InlineText text={title} />
          </h4>
        }
      />
      <ul aria-label={t('ruling.issues.words', { id })} className="mt-2 grid gap-1.5">
        {words.map((entry) => (
          <HistoryEntry key={`${entry.seq} ${entry.change}`} debateId={debateId} entry={entry} />
        ))}
      </ul>
      {history.length > words.length && (
        <Unfold title={t('ruling.issues.all', { n: history.length })}>
          {() => (
            <ol aria-label={t('issues.history.label', { id })} className="grid gap-1.5">
              {history.map((entry) => (
                <HistoryEntry key={entry.seq} debateId={debateId} entry={entry} />
              ))}
            </ol>
          )}
        </Unfold>
      )}
      <Unfold title={t('ruling.issues.evidence', { seq: raised_seq })}>
        {() => <Evidence debateId={debateId} seq={raised_seq} />}
      </Unfold>
      <Choices
        look="cards"
        label={t('ruling.issues.decision', { id })}
        chosen={decision?.change ?? 'leave'}
        choices={(['leave', ...choicesOf(issue)] as const).map((change) => [
          change,
          <span key={change}>
            {t(`ruling.issues.${change}`)}
            <span className="block text-[11px] font-normal">{does(change)}</span>
          </span>,
        ])}
        className="mt-3 grid-cols-2 @xl:grid-cols-5 @max-xl:[&>label:first-of-type]:col-span-2"
        onChoose={choose}
      />
      {decision !== null && (
        <div key={decision.change} className="mt-2 flex flex-wrap gap-2">
          {decision.change === 'regrade' && (
            <SeveritySelect
              value={decision.severity ?? nextSeverity(issue)}
              except={severity}
              autoFocus={byPointer === 'regrade'}
              onChange={(severity) => onDecide({ ...decision, severity })}
            />
          )}
          <TextField
            label={t(needed ? 'ruling.issues.why' : 'ruling.issues.note')}
            of={id}
            needed={needed ? t('ruling.issues.why.missing') : null}
            maxLength={1000}
            value={decision.note}
            autoFocus={needed && byPointer === decision.change}
            onChange={(note) => onDecide({ ...decision, note })}
            className="basis-60"
          />
        </div>
      )}
      <ChangeFaultText fault={fault} />
    </li>
  );
}

/** Why it was raised, and the newest change of each role that says something, else its newest one; oldest first. */
export function lastWords(history: readonly IssueHistoryEntry[]): readonly IssueHistoryEntry[] {
  const last = new Map<string, IssueHistoryEntry>();
  for (const entry of history) {
    if (entry.note !== undefined || last.get(entry.role)?.note === undefined) last.set(entry.role, entry);
  }
  const raised = history.filter(({ change, note }) => change === 'raise' && note !== undefined);
  return [...new Set([...raised, ...last.values()])].sort((a, b) => a.seq - b.seq);
}

/** The argument in which an issue was raised. */
function Evidence({ debateId, seq }: { debateId: string; seq: number }) {
  const query = useQuery({
    queryKey: ['argument', debateId, seq],
    queryFn: ({ signal }) => api.debate(debateId, { after_seq: seq - 1, before_seq: seq + 1 }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const argument = query.data?.arguments[0];
  return argument === undefined ? <Loading query={query} /> : <Said argument={argument} />;
}

interface NewIssueRowProps {
  issue: NewIssue;
  /** Whether it was added just now: it then gets the focus. */
  added: boolean;
  fault: ChangeFault | null;
  /** Null removes it. */
  onChange: (issue: NewIssue | null) => void;
}

/** An issue that the ruling raises. */
function NewIssueRow({ issue, added, fault, onChange }: NewIssueRowProps) {
  const t = useT();
  return (
    <li data-new-issue className="rounded-xl border px-3.5 py-3">
      <fieldset className="flex flex-wrap items-start gap-2">
        <legend className="sr-only">{t('ruling.raise.label')}</legend>
        <SeveritySelect value={issue.severity} onChange={(severity) => onChange({ ...issue, severity })} />
        <TextField
          label={t('ruling.raise.title')}
          needed={t('ruling.raise.untitled')}
          maxLength={200}
          value={issue.title}
          // One that is raised in the plan leaves the focus there.
          autoFocus={added && document.activeElement?.closest('aside') == null}
          onChange={(title) => onChange({ ...issue, title })}
          className="basis-60"
        />
        <TextField
          label={t('ruling.raise.location')}
          maxLength={300}
          value={issue.location}
          onChange={(location) => onChange({ ...issue, location })}
          className="basis-40 font-mono"
        />
        <IconButton icon={X} size="tiny" label={t('ruling.raise.remove')} onClick={() => onChange(null)} />
      </fieldset>
      <ChangeFaultText fault={fault} />
    </li>
  );
}
