import { Fragment } from 'react';
import type { Plan } from '@/api/types';
import { isJson } from '@/documents/content';
import { useDocumentVersion, useVersions } from '@/documents/queries';
import { useT } from '@/i18n';
import { debatePath, navigate } from '@/lib/router';
import { useVersionAt } from '@/plan/usePlan';
import { cn } from '@/ui/cn';
import { Disclosure } from '@/ui/Disclosure';
import { InlineText } from '@/ui/InlineText';
import { lazyComponent } from '@/ui/lazyComponent';
import { TextSkeleton } from '@/ui/Skeleton';
import type { DecisionModel } from './decisionModel';

const PlanChanges = lazyComponent(
  () => import('@/plan/PlanChanges'),
  () => <TextSkeleton />,
);

interface PlanSinceRulingProps {
  model: DecisionModel;
  plan: Plan;
}

/** What changed in the plan since the opponent saw it, else since the last ruling, else since the debate began. */
export function PlanSinceRuling({ model, plan }: PlanSinceRulingProps) {
  const t = useT();
  const versions = useVersions(plan.document_id);
  const ruled = useVersionAt(versions, model.request.ruledAt);
  const { data } = useDocumentVersion(plan.document_id, plan.version);
  const ruledFrom = ruled ?? plan.first_version;
  // What the opponent saw, where that is neither this version nor what is shown anyway.
  const { version, seen_version: seen } = plan;
  const sinceSeen = !plan.seen && seen !== null && seen !== ruledFrom;
  const from = sinceSeen ? seen : ruledFrom;
  const base = ruled === null ? 'draft' : 'ruling';
  const since = t(`ruling.plan.${sinceSeen ? 'seen' : base}`);
  const after = ruled === undefined ? undefined : data?.version;
  if (after && ruledFrom === version && !sinceSeen) {
    return (
      <p className="text-[13px] text-muted-foreground">{t(`ruling.plan.same.${base}`, { n: version })}</p>
    );
  }
  const { debate, request } = model;
  const notes = versions.items.filter((each) => each.version > from && each.version <= version);
  const title = (
    <span className="line-clamp-3 max-sm:line-clamp-2 group-open/plan:line-clamp-none">
      {t('ruling.plan')}:{' '}
      <span className="tabular-nums">
        v{from} → v{version}
      </span>{' '}
      <span className="font-normal text-muted-foreground">
        {since}
        {/* What its author says of a change may leave out the one that matters: it stands with what changed. */}
        <span className="hidden group-open/plan:inline">
          {notes.map((each) => (
            <Fragment key={each.version}>
              {notes.length > 1 ? ` · v${each.version}: ` : ' · '}
              “<InlineText text={each.summary} />”
            </Fragment>
          ))}
        </span>
      </span>
    </span>
  );
  return (
    // Until it is known it takes its place, so that nothing below it moves then.
    <section aria-label={t('ruling.plan')} className={cn(!after && 'invisible')}>
      <Disclosure title={title} className="group/plan">
        {() =>
          after && (
            <div className="mt-1.5 rounded-xl border bg-card text-[13px] [--surface:var(--color-card)]">
              <PlanChanges
                from={from}
                after={after}
                form={isJson(after.content) ? 'raw' : 'rendered'}
                sources={{
                  debateId: debate.id,
                  args: request.args,
                  issues: request.issues,
                  onJump: (seq) => navigate(debatePath(debate.id, seq)),
                }}
              />
            </div>
          )
        }
      </Disclosure>
    </section>
  );
}
