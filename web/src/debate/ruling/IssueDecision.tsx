import { type ReactNode, useState } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { useSelected } from '@/lib/store';
import { Choices } from '@/ui/Choices';
import { cn } from '@/ui/cn';
import { ChangeFaultText } from './ChangeFaultText';
import { DecisionDetails } from './DecisionDetails';
import { type DecisionModel, NO_RULES } from './decisionModel';
import {
  type ChangeFault,
  type Decision,
  LEAVE,
  offerOf,
  orderedChoices,
  withChange,
  withDecision,
} from './issueDecisions';
import { clearFault } from './undo/unsentRulings';

interface IssueDecisionProps {
  model: DecisionModel;
  issue: Issue;
  fault: ChangeFault | null;
  /** What else stands in its line. */
  children: ReactNode;
}

/** What the ruling makes of an issue. */
export function IssueDecision({ model, issue, fault, children }: IssueDecisionProps) {
  const t = useT();
  const { debate, stored, rules } = model;
  const { id, status } = issue;
  const decision = useSelected(stored, ({ decisions }) => decisions[id] ?? null);
  const { options } = model.request.argument;
  const offer = useSelected(stored, () => offerOf(options?.[model.draft().choice ?? -1], id));
  // What was chosen with the arrow keys leaves them the focus, to go on to the next choice.
  const [byPointer, setByPointer] = useState('');
  const offered = orderedChoices(issue, rules);
  /** What comes of the choice, also of an issue that the proposer says is fixed. */
  const does = (change: string) =>
    t.find(`decide.${change}.${status}`) ?? t.find(`decide.${change}.does`) ?? '';

  function decide(next: Decision | null) {
    if (fault !== null) clearFault(debate.id);
    model.change(withDecision(stored.get(), id, next));
  }
  function choose(change: string) {
    setByPointer(document.activeElement?.matches(':focus-visible') ? '' : change);
    decide(change === LEAVE ? null : withChange(decision, change, offer));
  }

  const chosen = decision?.change ?? LEAVE;
  return (
    <>
      <div
        className={cn(
          'mt-1 flex flex-wrap items-center gap-x-3 gap-y-0.5',
          // What comes first is known once the server has told what each needs.
          rules === NO_RULES && '*:first:invisible',
        )}
      >
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
        <span className="text-xs text-muted-foreground empty:hidden">
          {chosen === LEAVE ? t.find(`decide.leave.${status}`) : does(chosen)}
          {offer !== undefined && offer.change !== chosen && (
            <> · {t('ruling.issues.offered', { what: t.label('change', offer.change) })}</>
          )}
        </span>
        <DecisionDetails model={model} issue={issue} byPointer={byPointer} onChange={decide} />
        {children}
      </div>
      <ChangeFaultText fault={fault} />
    </>
  );
}
