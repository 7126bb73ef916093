import {
  ArrowLeft,
  CircleDot,
  Ellipsis,
  FileText,
  Gavel,
  ListChecks,
  Lock,
  type LucideIcon,
  OctagonPause,
} from 'lucide-react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { countsText } from '@/issues/IssueCountLabel';
import type { IssuesPanelState } from '@/issues/useIssuesPanel';
import { useShortcuts } from '@/lib/useShortcuts';
import type { PlanPanelState } from '@/plan/usePlanPanel';
import { programsIn } from '@/timeline/agentFigures';
import { Badge } from '@/ui/badge';
import { cn } from '@/ui/cn';
import { LateMenu, MenuButton } from '@/ui/LateMenu';
import { Link } from '@/ui/Link';
import { lazyComponent } from '@/ui/lazyComponent';
import { PanelButton } from '@/ui/PanelButton';
import { stateTone } from '@/ui/roleStyles';
import { useCopy } from '@/ui/useCopy';
import { ConnectionBadge } from './ConnectionBadge';
import { DebateTitle } from './DebateTitle';
import type { Snapshot } from './debateStore';
import { type DebateView, isOver } from './debateView';
import { PresenceList } from './PresenceList';

const MORE = { icon: Ellipsis, label: 'more.menu' } as const;
const MoreMenu = lazyComponent(
  () => import('./MoreMenu'),
  () => <MenuButton {...MORE} />,
);

const STATE_ICONS: Record<string, LucideIcon> = {
  AWAITING_ARBITRATOR: Gavel,
  INTERVENTION_PENDING: OctagonPause,
  CLOSED: Lock,
};

interface HeaderProps {
  view: DebateView;
  connection: Snapshot['connection'];
  issuesPanel: IssuesPanelState;
  planPanel: PlanPanelState;
  onMotion: () => void;
  onSeats: (debate: Debate) => void;
}

export function Header({ view, connection, issuesPanel, planPanel, onMotion, onSeats }: HeaderProps) {
  const t = useT();
  const { debate } = view;
  const { plan, issue_counts: counts } = debate;
  const StateIcon = STATE_ICONS[debate.state] ?? CircleDot;
  const isKnown = t.find(`state.${debate.state}`) !== undefined;
  // On a phone, and on a low screen, what is below says that a ruling is due or that the debate is closed, else who has the turn, once
  // that is told.
  const over = isOver(view);
  const blocking = over ? 0 : counts.blocking;
  const saidBelow = isKnown && (debate.ruling_request !== null || over);
  const saidBeside = isKnown && view.presence !== null;
  const copy = useCopy();
  useShortcuts({ c: () => void copy(debate.id) });
  return (
    <header className="border-b bg-background/90 px-3 py-2.5 max-sm:py-1 max-sm:pr-1 max-[23rem]:pb-0 sm:px-6">
      <div className="debate-head grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-2 max-sm:gap-x-1 md:grid-cols-[minmax(0,1fr)_auto]">
        <Link
          href="/"
          aria-label={t('list.back')}
          className="grid size-9 shrink-0 place-items-center rounded-lg text-muted-foreground hover:bg-accent max-sm:-ml-1 max-sm:size-11 md:hidden"
        >
          <ArrowLeft aria-hidden className="size-5" />
        </Link>
        <DebateTitle title={debate.title} />
        <div className="relative flex items-center gap-0.5 max-sm:gap-0 max-[23rem]:col-start-3 max-[23rem]:row-start-2 max-[23rem]:-mt-1">
          <ConnectionBadge
            connection={connection}
            quiet={over}
            className="max-sm:absolute max-sm:-top-0.5 max-sm:right-0 max-sm:p-1!"
          />
          <PanelButton
            panel={planPanel}
            icon={FileText}
            label={plan === null ? t('plan.none') : t('plan.title.version', { n: plan.version })}
            disabled={plan === null && !planPanel.open}
          >
            {plan !== null && <span className="max-sm:hidden">v{plan.version}</span>}
          </PanelButton>
          <PanelButton
            panel={issuesPanel}
            icon={ListChecks}
            label={`${t('issues.title')}, ${countsText(t, counts, over)}`}
          >
            {counts.unsettled > 0 && (
              <span className={cn(blocking > 0 && 'max-sm:hidden')}>{counts.unsettled}</span>
            )}
            {blocking > 0 && (
              // A phone has room for the number alone.
              <span className="rounded-full bg-warning-soft px-2 py-0.5 text-[11px] leading-4 font-semibold text-warning max-sm:px-1.5 max-sm:text-xs">
                <span className="sm:hidden">{blocking}</span>
                <span className="max-sm:hidden">{t('issues.blocking', { n: blocking })}</span>
              </span>
            )}
          </PanelButton>
          <LateMenu {...MORE}>
            <MoreMenu
              debate={debate}
              programs={programsIn(view.items)}
              over={over}
              onMotion={onMotion}
              onSeats={onSeats}
            />
          </LateMenu>
        </div>
        <div
          className={cn(
            'mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1.5 max-sm:col-span-full max-sm:mt-0 max-sm:min-h-6 max-sm:pl-1 max-[23rem]:col-span-2 max-[23rem]:row-start-2 max-[23rem]:gap-y-0 sm:col-[2/-1] md:col-span-full',
            saidBelow && 'max-sm:hidden [@media(max-height:52rem)]:hidden',
          )}
        >
          <Badge tone={stateTone(debate.state)} className={cn(saidBeside && 'max-sm:hidden')}>
            <StateIcon aria-hidden />
            {t.label('state', debate.state)}
          </Badge>
          <span className="text-xs text-muted-foreground max-sm:hidden">
            {t.label('type', debate.debate_type)}
          </span>
          <PresenceList view={view} onSeats={onSeats} />
        </div>
      </div>
    </header>
  );
}
