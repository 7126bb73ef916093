import { jumpFrom, PanelHeader, SidePanel } from '@/ui/SidePanel';
import { TextSkeleton } from '@/ui/Skeleton';
import { type Collector, type DebateBesidePlan, PlanDocument } from './PlanDocument';
import type { PlanPanelState } from './usePlanPanel';

interface PlanPanelProps {
  panel: PlanPanelState;
  view: DebateBesidePlan;
  /** Null if nothing can be ruled any more. */
  collector: Collector | null;
  onJump: (seq: number) => void;
}

/** The plan of a debate, or another document that was asked for. */
export default function PlanPanel({ panel, view, collector, onJump }: PlanPanelProps) {
  const { route } = panel;
  const { plan } = view.debate;
  const id = route.id ?? plan?.document_id ?? null;
  const other = route.id !== null && plan !== null && route.id !== plan.document_id;

  return (
    <SidePanel panel={panel} closesOnEscape={false}>
      {id === null ? (
        <>
          <PanelHeader panel={panel} />
          <TextSkeleton />
        </>
      ) : (
        <PlanDocument
          key={id}
          id={id}
          panel={panel}
          planVersion={other ? null : (plan?.version ?? null)}
          isOther={other}
          debateView={view}
          onJump={jumpFrom(panel, onJump)}
          collector={collector}
        />
      )}
    </SidePanel>
  );
}
