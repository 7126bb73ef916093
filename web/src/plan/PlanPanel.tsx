import type { Issue, Plan } from '@/api/types';
import { useT } from '@/i18n';
import { useIssueHistories } from '@/issues/useIssueHistories';
import { jumpFrom, PanelHeader, SidePanel } from '@/ui/SidePanel';
import { TextSkeleton } from '@/ui/Skeleton';
import { type Collector, PlanDocument } from './PlanDocument';
import { type Loaded, useRuledAt } from './usePlan';
import type { PlanPanelState } from './usePlanPanel';

interface PlanPanelProps {
  panel: PlanPanelState;
  /** The plan of the debate; null if there is none. */
  plan: Plan | null;
  loaded: Loaded;
  issues: readonly Issue[];
  /** Null if nothing can be ruled any more. */
  collector: Collector | null;
  onJump: (seq: number) => void;
}

/** The plan of a debate, or another document that was asked for. */
export default function PlanPanel({ panel, plan, loaded, issues, collector, onJump }: PlanPanelProps) {
  const t = useT();
  const ruledAt = useRuledAt(loaded);
  const histories = useIssueHistories(loaded.debateId, issues);
  const { route } = panel;
  const id = route.id ?? plan?.document_id ?? null;
  const other = route.id !== null && plan !== null && route.id !== plan.document_id;

  return (
    <SidePanel
      panel={panel}
      name="plan"
      label={t('plan.title')}
      shortcut="p"
      size="half"
      closesOnEscape={false}
    >
      {id === null || ruledAt === undefined ? (
        <>
          <PanelHeader panel={panel} title={t('plan.title')} closeLabel={t('plan.close')} />
          <TextSkeleton />
        </>
      ) : (
        <PlanDocument
          key={id}
          id={id}
          panel={panel}
          planVersion={other ? null : (plan?.version ?? null)}
          isOther={other}
          ruledAt={ruledAt}
          sources={{
            debateId: loaded.debateId,
            args: loaded.items,
            issues: histories.data ?? issues,
            onJump: jumpFrom(panel, onJump),
          }}
          collector={collector}
        />
      )}
    </SidePanel>
  );
}
