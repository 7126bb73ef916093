import { useT } from '@/i18n';
import { IssueHead } from '@/issues/IssueHead';
import { countAll, statusesIn } from '@/issues/ledger';
import { NoteText } from '@/issues/NoteText';
import { InlineText } from '@/ui/InlineText';
import { IssueLink } from '@/ui/IssueLink';
import type { DecisionModel } from './decisionModel';
import { Unfold } from './Question';

/** On a resolution: what became of all issues, in a line that unfolds. */
export function IssuesSoFar({ debate, request }: Pick<DecisionModel, 'debate' | 'request'>) {
  const t = useT();
  const counts = debate.issue_counts;
  const raised = countAll(counts);
  if (!request.toFinish || raised === 0) return null;
  const parts = statusesIn(counts).flatMap((status) =>
    counts[status] > 0 ? `${counts[status]} ${t.label('status', status).toLocaleLowerCase()}` : [],
  );
  return (
    <Unfold title={`${t('ruling.raised', { n: raised })}: ${parts.join(', ')}`}>
      {() => (
        <ul className="grid gap-2.5 py-1">
          {request.ledger.map((issue) => (
            <li key={issue.id} data-became={issue.status}>
              <IssueHead
                issue={issue}
                id={<IssueLink id={issue.id}>{issue.id}</IssueLink>}
                title={
                  <p dir="auto" className="mt-0.5 font-medium wrap-anywhere">
                    <InlineText text={issue.title} />
                  </p>
                }
              />
              {issue.note !== null && (
                <p dir="auto" className="text-muted-foreground">
                  <NoteText text={issue.note} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Unfold>
  );
}
