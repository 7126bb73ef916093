import { memo, useState } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { HistoryEntry } from '@/issues/HistoryEntry';
import { IssueHead } from '@/issues/IssueHead';
import { useSelected } from '@/lib/store';
import { Choices } from '@/ui/Choices';
import { InlineText } from '@/ui/InlineText';
import { IssueLink } from '@/ui/IssueLink';
import { ChangeFaultText } from './ChangeFaultText';
import { DecisionFields } from './DecisionFields';
import type { DecisionModel } from './decisionModel';
import { IssueHistory } from './IssueHistory';
import { type ChangeFault, choicesOf, type Decision, withDecision } from './issueDecisions';
import { lastWords } from './lastWords';
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
  const { id, title, status, history = [] } = issue;
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
        <span className="text-xs text-muted-foreground">
          {chosen === LEAVE ? t.find(`decide.leave.${status}`) : does(chosen)}
        </span>
      </div>
      {decision !== null && (
        <DecisionFields
          key={decision.change}
          issue={issue}
          decision={decision}
          rules={rules}
          focused={byPointer === decision.change}
          onChange={decide}
        />
      )}
      <ChangeFaultText fault={fault} />
      <IssueHistory debateId={debate.id} issue={issue} />
    </li>
  );
});
