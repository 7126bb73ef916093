import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '@/api/client';
import type { Issue, IssueHistoryEntry } from '@/api/types';
import { useT } from '@/i18n';
import { HistoryEntry } from '@/issues/HistoryEntry';
import { IssueHead } from '@/issues/IssueHead';
import { Choices } from '@/ui/Choices';
import { SeveritySelect, TextField } from '@/ui/fields';
import { InlineText } from '@/ui/InlineText';
import { IssueLink } from '@/ui/IssueLink';
import { ChangeFaultText } from './ChangeFaultText';
import {
  type ChangeFault,
  type Choice,
  choicesOf,
  type Decision,
  needsNote,
  nextSeverity,
} from './issueDecisions';
import { Loading, Said, Unfold } from './Question';

/** What comes of an issue that the proposer says is fixed. */
const FIXED = {
  leave: 'ruling.issues.leave.fixed',
  uphold: 'ruling.issues.uphold.fixed',
  dismiss: 'ruling.issues.dismiss.fixed',
} as const;

interface IssueAtStakeProps {
  debateId: string;
  issue: Issue;
  decision: Decision | null;
  fault: ChangeFault | null;
  onDecide: (decision: Decision | null) => void;
}

/** One issue: its place, its evidence, what each side said last about it, and what the ruling makes of it. */
export function IssueAtStake({ debateId, issue, decision, fault, onDecide }: IssueAtStakeProps) {
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

  const needed = decision !== null && needsNote(decision.change);
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
