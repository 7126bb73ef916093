import { CircleAlert } from 'lucide-react';
import type { Debate, Plan } from '@/api/types';
import { useT } from '@/i18n';
import { THE_PLAN } from '@/lib/planRoute';
import { Button } from '@/ui/button';
import { usePlanLinks } from '@/ui/planLinks';

/** Warns that a resolution cites a version of the plan to which the opponent cannot have agreed. */
export function UnseenPlan({ plan }: { plan: Plan }) {
  const t = useT();
  const show = usePlanLinks();
  const route = { ...THE_PLAN, id: plan.document_id, version: plan.version, view: 'changes' } as const;
  return (
    <p
      role="status"
      className="mb-2.5 flex flex-wrap items-center gap-x-2.5 gap-y-1.5 rounded-xl border border-destructive/30 bg-destructive-soft px-3.5 py-2 text-sm"
    >
      <CircleAlert aria-hidden className="size-4 shrink-0 text-destructive" />
      <span className="min-w-0 flex-1 basis-52">{t('ruling.unseen', { n: plan.version })}</span>
      {show && (
        <Button size="sm" className="h-7!" onClick={() => show(route)}>
          {t('plan.view.changes')}
        </Button>
      )}
    </p>
  );
}

/** The plan, if the opponent cannot have agreed to it. */
export function unseenPlan({ plan }: Debate): Plan | null {
  return plan !== null && (plan.seen_version ?? 0) < plan.version ? plan : null;
}
