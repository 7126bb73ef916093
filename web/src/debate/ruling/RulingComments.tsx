import { MAX_ISSUE_TITLE } from '@/api/limits';
import { useSelected } from '@/lib/store';
import type { PlanComment } from '@/plan/lineComments';
import { placeText } from '@/plan/lineRanges';
import { QuotationList } from '@/plan/QuotationList';
import type { DecisionModel } from './decisionModel';
import { withNewIssue } from './issueDecisions';

/** The comments on the plan that the ruling quotes. */
export function RulingComments({ model: { stored, change } }: { model: DecisionModel }) {
  const comments = useSelected(stored, (draft) => draft.comments);

  /** A comment becomes an issue that the ruling raises. */
  function raise(comment: PlanComment) {
    const title = Array.from(comment.text.split('\n')[0] ?? '').slice(0, MAX_ISSUE_TITLE);
    const known = { title: title.join(''), location: placeText(comment) };
    change({
      comments: comments.filter(({ key }) => key !== comment.key),
      ...withNewIssue(stored.get(), known),
    });
  }

  return (
    <QuotationList
      comments={comments}
      onChange={(changed) => change({ comments: changed })}
      onRaise={raise}
    />
  );
}
