import type { KeyboardEvent } from 'react';
import type { Issue, Plan, Severity } from '@/api/types';
import { TextSkeleton } from '@/documents/TextSkeleton';
import { useT } from '@/i18n';
import { useIssueHistories } from '@/issues/useIssueHistories';
import { cn } from '@/ui/cn';
import { Drawer } from '@/ui/drawer';
import { PANEL_SPACE } from '@/ui/PanelButton';
import type { PlanComment } from './comments';
import { PlanDocument } from './PlanDocument';
import { PlanHeader } from './PlanHeader';
import { type Loaded, useRuledAt } from './usePlan';
import type { PlanPanelState } from './usePlanPanel';

/** Where comments and issues from the plan wait until the ruling is sent. */
export interface Collector {
  comments: readonly PlanComment[];
  comment: (comment: Omit<PlanComment, 'key'>) => void;
  raise: (issue: { severity: Severity; title: string; location: string }) => void;
}

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

/** The plan beside the debate, or in a sheet over it if the screen is not wide enough. */
export default function PlanPanel(props: PlanPanelProps) {
  const { panel, onJump } = props;
  if (panel.wide) return <Frame {...props} />;
  // The sheet covers the argument that it leads to.
  function jump(seq: number) {
    panel.close();
    onJump(seq);
  }
  return (
    <Drawer size="half" closesOnEscape={false} onClose={panel.close}>
      <Frame {...props} onJump={jump} />
    </Drawer>
  );
}

function Frame({ panel, plan, loaded, issues, collector, onJump }: PlanPanelProps) {
  const t = useT();
  const ruledAt = useRuledAt(loaded);
  const histories = useIssueHistories(loaded.debateId, issues);
  const { route } = panel;
  const id = route.id ?? plan?.document_id ?? null;
  const other = route.id !== null && plan !== null && route.id !== plan.document_id;

  function onKeyDown(event: KeyboardEvent) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest('input, textarea, select')) return;
    if (event.key !== 'p' && event.key !== 'Escape') return;
    event.preventDefault();
    panel.close();
  }

  return (
    <aside
      onKeyDown={onKeyDown}
      id={panel.id}
      aria-label={t('plan.title')}
      className={
        panel.wide ? cn('flex flex-col', PANEL_SPACE.plan) : 'flex min-h-0 flex-1 flex-col bg-background'
      }
    >
      {id === null || ruledAt === undefined ? (
        <>
          <PlanHeader panel={panel} title={t('plan.title')} />
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
            issues: histories.issues ?? issues,
            onJump,
          }}
          collector={collector}
        />
      )}
    </aside>
  );
}
