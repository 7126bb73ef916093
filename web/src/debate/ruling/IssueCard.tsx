import { memo } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { HistoryEntry } from '@/issues/HistoryEntry';
import { IssueHead } from '@/issues/IssueHead';
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
  fault: ChangeFault | null;
}

/** One issue: its place, what each side said last about it, and what the ruling makes of it. */
export const IssueCard = memo(function IssueCard({ model, issue, saysReferred, fault }: IssueCardProps) {
  const t = useT();
  const { debate } = model;
  const { id, title, history = [] } = issue;
  const words = issue.settled ? [] : lastWords(history);
  return (
    <li
      data-decide={id}
      // Those that may be in view at first are laid out at once: the browser takes for a move what it lays out late.
      className="rounded-xl border bg-card px-3 py-2 [contain-intrinsic-size:auto_8rem] nth-[n+7]:[content-visibility:auto]"
    >
      <IssueHead
        issue={issue}
        saysReferred={saysReferred}
        id={
          <IssueLink id={id} className="link rounded font-mono text-xs font-semibold">
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
      <IssueDecision model={model} issue={issue} fault={fault} />
      <IssueHistory model={model} issue={issue} />
    </li>
  );
});
