import type { Argument, Debate } from '@/api/types';
import { useT } from '@/i18n';
import { useLedger } from '@/issues/useLedger';
import { jumpFrom, PanelHeader, SidePanel } from '@/ui/SidePanel';
import { TextSkeleton } from '@/ui/Skeleton';
import { type Collector, PlanDocument } from './PlanDocument';
import type { PlanPanelState } from './usePlanPanel';

interface PlanPanelProps {
  panel: PlanPanelState;
  debate: Debate;
  /** The arguments that are loaded. */
  args: readonly Argument[];
  /** When the newest ruling was made. */
  ruledAt: string | null;
  /** Null if nothing can be ruled any more. */
  collector: Collector | null;
  onJump: (seq: number) => void;
}

/** The plan of a debate, or another document that was asked for. */
export default function PlanPanel({ panel, debate, args, ruledAt, collector, onJump }: PlanPanelProps) {
  const t = useT();
  const { data: issues = [] } = useLedger(debate);
  const { route } = panel;
  const { plan } = debate;
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
      {id === null ? (
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
          sources={{ debateId: debate.id, args, issues, onJump: jumpFrom(panel, onJump) }}
          collector={collector}
        />
      )}
    </SidePanel>
  );
}
