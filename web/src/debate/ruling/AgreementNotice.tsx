import { CircleAlert, CircleCheck } from 'lucide-react';
import { useT } from '@/i18n';
import { planSearch, THE_PLAN } from '@/lib/planRoute';
import { debatePath } from '@/lib/router';
import { useSelected } from '@/lib/store';
import { Button } from '@/ui/button';
import { Link } from '@/ui/Link';
import type { DecisionModel } from './decisionModel';
import { withNewIssue } from './issueDecisions';
import { unseenPlan } from './rulingRequest';

interface AgreementNoticeProps extends Pick<DecisionModel, 'debate' | 'request'> {
  /** Where a ruling is written. */
  model?: DecisionModel;
}

/** On a resolution: whether both sides have agreed to it, or why they cannot have, in a line. */
export function AgreementNotice({ debate, request, model }: AgreementNoticeProps) {
  const t = useT();
  if (!request.toFinish) return null;
  if (request.agreed) {
    const { plan, issue_counts } = debate;
    const what = t(issue_counts.unsettled === 0 ? 'ruling.agreement.settled' : 'ruling.agreement');
    return (
      <p className="flex items-center gap-2 text-[13px] text-success">
        <CircleCheck aria-hidden className="size-4 shrink-0" />
        {plan !== null && `${t('ruling.agreement.plan', { n: plan.version })} `}
        {what}
      </p>
    );
  }
  const unseen = unseenPlan(debate);
  const { blocking } = debate.issue_counts;
  const reasons = [
    unseen !== null && t('ruling.unseen', { n: unseen.version }),
    blocking > 0 && `${t('issues.blocking.long', { n: blocking })}.`,
  ].filter(Boolean);
  return (
    <p
      role="status"
      className="flex items-start gap-2.5 rounded-xl bg-warning-soft px-3 py-1.5 text-[13px] text-warning"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        {reasons.join(' ')}
        {unseen !== null && (
          <span className="flex flex-wrap gap-x-5">
            <Link
              href={`${debatePath(debate.id)}${planSearch({ ...THE_PLAN, view: 'changes', from: unseen.seen_version })}`}
              className="link rounded font-medium max-sm:py-2"
            >
              {t('ruling.unseen.show')}
            </Link>
            {model && <AskToRead model={model} version={unseen.version} />}
          </span>
        )}
      </span>
    </p>
  );
}

/** Raises an issue that blocks completion until the opponent has settled it: a ruling in words alone would not reach it before that. */
function AskToRead({ model, version }: { model: DecisionModel; version: number }) {
  const t = useT();
  const { stored } = model;
  const title = t('ruling.unseen.issue', { n: version });
  const isAsked = useSelected(stored, ({ raised }) => raised.some((issue) => issue.title === title));
  if (isAsked) return null;
  const location = t('plan.title.version', { n: version });
  return (
    <Button
      variant="link"
      size="bare"
      className="rounded! text-[13px] font-medium text-warning! underline max-sm:py-2"
      onClick={() => model.change(withNewIssue(stored.get(), { severity: 'high', title, location }))}
    >
      {t('ruling.unseen.ask')}
    </Button>
  );
}
