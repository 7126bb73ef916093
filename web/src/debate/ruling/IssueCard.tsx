import { memo, useState } from 'react';
import { type Issue, SIDES } from '@/api/types';
import { IssueHead } from '@/issues/IssueHead';
import { InlineText } from '@/ui/InlineText';
import { IssueLink } from '@/ui/IssueLink';
import type { DecisionModel } from './decisionModel';
import { IssueDecision } from './IssueDecision';
import { HistoryButton, IssueHistory } from './IssueHistory';
import type { ChangeFault } from './issueDecisions';
import { LastWords } from './LastWords';
import { notesBySide } from './lastWords';

const WORD_LINES = 3;

interface IssueCardProps {
  model: DecisionModel;
  issue: Issue;
  /** Whether it is said that the appeal refers it, where that is not true of all that are shown. */
  saysReferred: boolean;
  /** The roles whose last words about it stand above. */
  saidAbove: readonly string[];
  /** Whether all that was said of it does. */
  historyAbove: boolean;
  fault: ChangeFault | null;
}

/** One issue: its place, what each side said last about it, and what the ruling makes of it. */
export const IssueCard = memo(function IssueCard(props: IssueCardProps) {
  const { model, issue, saysReferred, saidAbove, historyAbove, fault } = props;
  const [open, setOpen] = useState(false);
  const { debate } = model;
  const { id, title, history = [] } = issue;
  const words = issue.settled ? [] : notesBySide(history).filter(({ role }) => !saidAbove.includes(role));
  const isNoted = words.length === SIDES.length;
  return (
    <li
      data-decide={id}
      // Those that may be in view at first are laid out at once: the browser takes for a move what it lays out late.
      className="rounded-xl border bg-card px-3 py-1.5 [contain-intrinsic-size:auto_6rem] nth-[n+7]:[content-visibility:auto] max-sm:[contain-intrinsic-size:auto_10rem]"
    >
      <IssueHead
        issue={issue}
        inLine
        saysReferred={saysReferred}
        id={
          <IssueLink id={id} className="link rounded font-mono text-xs font-semibold">
            {id}
          </IssueLink>
        }
        title={
          <h4 dir="auto" className="min-w-0 text-sm leading-snug font-medium wrap-anywhere">
            <InlineText text={title} />
          </h4>
        }
      />
      {words.length > 0 && (
        <LastWords
          debateId={debate.id}
          id={id}
          words={words}
          lines={WORD_LINES}
          whole={open}
          onWhole={setOpen}
        />
      )}
      <IssueDecision model={model} issue={issue} fault={fault}>
        {!historyAbove && (
          <>
            <HistoryButton issue={issue} noted={isNoted} open={open} onToggle={() => setOpen(!open)} />
            {open && <IssueHistory model={model} issue={issue} noted={isNoted} scrolls />}
          </>
        )}
      </IssueDecision>
    </li>
  );
});
