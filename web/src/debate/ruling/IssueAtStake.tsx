import { useQuery } from '@tanstack/react-query';
import { MapPin } from 'lucide-react';
import { api } from '@/api/client';
import type { Issue, IssueHistoryEntry } from '@/api/types';
import { useT } from '@/i18n';
import { IssueMarks } from '@/issues/IssueMarks';
import { NoteText } from '@/issues/NoteText';
import { SeverityBadge } from '@/issues/SeverityBadge';
import { StatusLabel } from '@/issues/StatusLabel';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { IssueLink } from '@/ui/IssueLink';
import { roleStyle } from '@/ui/roleStyles';
import { ChangeFaultText } from './ChangeFaultText';
import { type ChangeFault, choicesOf, type Decision, needsNote, nextSeverity } from './issueDecisions';
import { FIELD, SeveritySelect } from './NewIssueRow';
import { ArgumentLink, Said, Unfold } from './Question';

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
  const { id, severity, title, status, location, raised_seq, history = [] } = issue;
  const chosen = decision?.change ?? 'leave';
  return (
    <li data-decide={id} className="rounded-xl border px-3.5 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <IssueLink
          id={id}
          className="rounded font-mono text-xs font-semibold text-foreground underline decoration-dotted underline-offset-3"
        >
          {id}
        </IssueLink>
        <SeverityBadge severity={severity} />
        <StatusLabel status={status} />
        <IssueMarks issue={issue} />
      </div>
      <h4 dir="auto" className="mt-1 text-sm leading-snug font-medium wrap-anywhere">
        {title}
      </h4>
      {location !== null && (
        <p dir="auto" className="mt-1 flex items-start gap-1 font-mono text-xs text-muted-foreground">
          <MapPin aria-hidden className="mt-0.5 size-3 shrink-0" />
          <NoteText text={location} />
        </p>
      )}
      <ul aria-label={t('ruling.issues.words', { id })} className="mt-2 grid gap-1.5">
        {lastWords(history).map((entry) => (
          <Words key={`${entry.seq} ${entry.change}`} debateId={debateId} entry={entry} />
        ))}
      </ul>
      <Unfold title={t('ruling.issues.evidence', { seq: raised_seq })}>
        {() => <Evidence debateId={debateId} seq={raised_seq} />}
      </Unfold>
      <fieldset className="mt-3 grid grid-cols-2 gap-1 @xl:grid-cols-5 @max-xl:[&>label:first-of-type]:col-span-2">
        <legend className="sr-only">{t('ruling.issues.decision', { id })}</legend>
        {(['leave', ...choicesOf(issue)] as const).map((change) => (
          <label
            key={change}
            className={cn(
              'relative cursor-pointer rounded-lg border px-2.5 py-1.5 text-[13px] leading-tight font-medium transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-arbitrator',
              change !== chosen && 'text-muted-foreground hover:bg-accent hover:text-foreground',
              change === chosen &&
                (change === 'leave' ? 'border-foreground/50' : 'border-arbitrator bg-arbitrator-soft'),
            )}
          >
            <input
              type="radio"
              name={`decision-${id}`}
              className="sr-only"
              checked={change === chosen}
              onChange={() => onDecide(change === 'leave' ? null : { note: '', ...decision, change })}
            />
            {t(`ruling.issues.${change}`)}
            <span className="block text-[11px] font-normal">{t(`ruling.issues.${change}.does`)}</span>
          </label>
        ))}
      </fieldset>
      {decision !== null && (
        <div className="mt-2 flex flex-wrap gap-2">
          {decision.change === 'regrade' && (
            <SeveritySelect
              value={decision.severity ?? nextSeverity(issue)}
              except={severity}
              onChange={(severity) => onDecide({ ...decision, severity })}
            />
          )}
          <input
            type="text"
            dir="auto"
            maxLength={1000}
            required={needsNote(decision.change)}
            aria-label={t(needsNote(decision.change) ? 'ruling.issues.why' : 'ruling.issues.note', { id })}
            placeholder={t(
              needsNote(decision.change) ? 'ruling.issues.why.short' : 'ruling.issues.note.short',
            )}
            value={decision.note}
            onChange={(event) => onDecide({ ...decision, note: event.target.value })}
            className={cn(FIELD, 'flex-1 basis-60')}
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

function Words({ debateId, entry }: { debateId: string; entry: IssueHistoryEntry }) {
  const t = useT();
  const { icon: Icon, text } = roleStyle(entry.role);
  return (
    <li className="text-[13px]">
      <span className={cn('mr-1.5 inline-flex items-center gap-1 align-bottom font-semibold', text)}>
        <Icon aria-hidden className="size-3.5" />
        {t.label('role', entry.role)}
      </span>
      <span className="mr-1.5 text-xs text-muted-foreground">
        {t.label('change', entry.change)} <ArgumentLink debateId={debateId} seq={entry.seq} />
      </span>
      {entry.note !== undefined && (
        <span dir="auto">
          <NoteText text={entry.note} />
        </span>
      )}
    </li>
  );
}

/** The argument in which an issue was raised. */
function Evidence({ debateId, seq }: { debateId: string; seq: number }) {
  const t = useT();
  const { data, isError, refetch } = useQuery({
    queryKey: ['argument', debateId, seq],
    queryFn: ({ signal }) => api.debate(debateId, { after_seq: seq - 1, before_seq: seq + 1 }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const argument = data?.arguments[0];
  if (argument !== undefined) return <Said argument={argument} />;
  return isError ? (
    <Button size="sm" onClick={() => void refetch()}>
      {t('failed.retry')}
    </Button>
  ) : (
    <div role="status" aria-label={t('thread.loading')} className="h-10 rounded-lg bg-accent/60" />
  );
}
