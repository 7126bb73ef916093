import { memo, useState } from 'react';
import { MAX_ISSUE_NOTE } from '@/api/limits';
import type { Issue, IssueHistoryEntry } from '@/api/types';
import { useT } from '@/i18n';
import { HistoryEntry } from '@/issues/HistoryEntry';
import { IssueHead } from '@/issues/IssueHead';
import { useSelected } from '@/lib/store';
import { Choices } from '@/ui/Choices';
import { SeveritySelect, TextField } from '@/ui/fields';
import { InlineText } from '@/ui/InlineText';
import { IssueLink } from '@/ui/IssueLink';
import { ChangeFaultText } from './ChangeFaultText';
import type { DecisionModel } from './decisionModel';
import { IssueHistory } from './IssueHistory';
import {
  type ChangeFault,
  choicesOf,
  type Decision,
  needs,
  nextSeverity,
  withDecision,
} from './issueDecisions';
import { clearFault } from './undo/unsentRulings';

const LEAVE = 'leave';

interface IssueCardProps {
  model: DecisionModel;
  issue: Issue;
  fault: ChangeFault | null;
}

/** One issue: its place, what each side said last about it, and what the ruling makes of it. */
export const IssueCard = memo(function IssueCard({ model, issue, fault }: IssueCardProps) {
  const t = useT();
  const { debate, stored, rules } = model;
  const { id, severity, title, status, history = [] } = issue;
  const decision = useSelected(stored, ({ decisions }) => decisions[id] ?? null);
  // What was chosen with the arrow keys leaves them the focus, to go on to the next choice.
  const [byPointer, setByPointer] = useState('');
  // What needs nothing else first.
  const needed = (change: string) => rules[change]?.needs.length ?? 0;
  const offered = choicesOf(issue).toSorted((a, b) => needed(a) - needed(b));
  const words = issue.referred ? lastWords(history) : [];
  /** What comes of the choice, also of an issue that the proposer says is fixed. */
  const does = (change: string) =>
    t.find(`decide.${change}.${status}`) ?? t.find(`decide.${change}.does`) ?? '';

  function decide(next: Decision | null) {
    if (fault !== null) clearFault(debate.id);
    model.change(withDecision(stored.get(), id, next));
  }
  function choose(change: string) {
    setByPointer(document.activeElement?.matches(':focus-visible') ? '' : change);
    decide(change === LEAVE ? null : { note: '', ...decision, change });
  }

  const chosen = decision?.change ?? LEAVE;
  const needsWhy = needs('note', chosen, rules);
  return (
    <li
      data-decide={id}
      className="rounded-xl border bg-card px-3 py-2 [contain-intrinsic-size:auto_8rem] [content-visibility:auto]"
    >
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
          <h4 dir="auto" className="mt-0.5 text-sm leading-snug font-medium wrap-anywhere">
            <InlineText text={title} />
          </h4>
        }
      />
      {words.length > 0 && (
        <ul aria-label={t('ruling.issues.words', { id })} className="mt-1 grid gap-1">
          {words.map((entry) => (
            <HistoryEntry key={`${entry.seq} ${entry.change}`} debateId={debate.id} entry={entry} short />
          ))}
        </ul>
      )}
      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Choices
          look="quiet"
          label={t('ruling.issues.decision', { id })}
          chosen={chosen}
          choices={[LEAVE, ...offered].map((change) => [
            change,
            <span key={change} title={does(change)}>
              {t.label('decide', change)}
            </span>,
          ])}
          onChoose={choose}
        />
        <span className="text-xs text-muted-foreground">{does(chosen)}</span>
      </div>
      {decision !== null && (
        <div key={decision.change} className="mt-1.5 flex flex-wrap gap-2">
          {needs('severity', chosen, rules) && (
            <SeveritySelect
              value={decision.severity ?? nextSeverity(issue)}
              except={severity}
              autoFocus={byPointer === chosen}
              onChange={(severity) => decide({ ...decision, severity })}
            />
          )}
          <TextField
            label={t(needsWhy ? 'ruling.issues.why' : 'ruling.issues.note')}
            of={id}
            needed={needsWhy ? t('ruling.issues.why.missing') : null}
            maxLength={MAX_ISSUE_NOTE}
            value={decision.note}
            autoFocus={needsWhy && byPointer === chosen}
            onChange={(note) => decide({ ...decision, note })}
            className="basis-60"
          />
        </div>
      )}
      <ChangeFaultText fault={fault} />
      <IssueHistory debateId={debate.id} issue={issue} />
    </li>
  );
});

/** Why it was raised, and the newest change of each role that says something, else its newest one; oldest first. */
export function lastWords(history: readonly IssueHistoryEntry[]): readonly IssueHistoryEntry[] {
  const last = new Map<string, IssueHistoryEntry>();
  for (const entry of history) {
    if (entry.note !== undefined || last.get(entry.role)?.note === undefined) last.set(entry.role, entry);
  }
  const raised = history.filter(({ change, note }) => change === 'raise' && note !== undefined);
  return [...new Set([...raised, ...last.values()])].sort((a, b) => a.seq - b.seq);
}
