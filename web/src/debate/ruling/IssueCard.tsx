import { memo } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { HistoryEntry } from '@/issues/HistoryEntry';
import { IssueHead } from '@/issues/IssueHead';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { IssueLink } from '@/ui/IssueLink';
import type { DecisionModel } from './decisionModel';
import { IssueDecision } from './IssueDecision';
import { IssueHistory } from './IssueHistory';
import type { ChangeFault } from './issueDecisions';
import { lastWords } from './lastWords';

interface IssueCardProps {
  model: DecisionModel;
  issue: Issue;
  /** Whether it is said that the appeal refers it, where that is not true of all that are shown. */
  saysReferred: boolean;
  /** The roles whose last words about it stand above, with what each side says. */
  saidAbove: readonly string[];
  fault: ChangeFault | null;
}

/** One issue: its place, what each side said last about it, and what the ruling makes of it. */
export const IssueCard = memo(function IssueCard(props: IssueCardProps) {
  const { model, issue, saysReferred, saidAbove, fault } = props;
  const t = useT();
  const { debate } = model;
  const { id, title, severity, history = [] } = issue;
  const words = issue.settled ? [] : lastWords(history).filter(({ role }) => !saidAbove.includes(role));
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
        <ul
          aria-label={t('ruling.issues.words', { id })}
          className={cn('mt-0.5 grid grid-cols-1 gap-x-4', words.length > 1 && '@xl:grid-cols-2')}
        >
          {words.map((entry) => (
            <HistoryEntry
              key={`${entry.seq} ${entry.change}`}
              debateId={debate.id}
              entry={entry}
              beside={severity}
            />
          ))}
        </ul>
      )}
      <IssueDecision model={model} issue={issue} fault={fault}>
        <IssueHistory model={model} issue={issue} />
      </IssueDecision>
    </li>
  );
});
