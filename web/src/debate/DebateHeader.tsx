import { ArrowLeft, Milestone } from 'lucide-react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { IssuesButton } from '@/issues/IssuesButton';
import type { IssuesPanelState } from '@/issues/useIssuesPanel';
import { useShortcuts } from '@/lib/useShortcuts';
import { PlanButton } from '@/plan/PlanButton';
import type { PlanPanelState } from '@/plan/usePlanPanel';
import { SeatsMenu } from '@/seats/SeatsMenu';
import { IconButton } from '@/ui/iconButton';
import { Link } from '@/ui/Link';
import { useCopy } from '@/ui/useCopy';
import { ConnectionBadge } from './ConnectionBadge';
import { CopyMenu } from './CopyMenu';
import type { Snapshot } from './debateStore';
import type { DebateView } from './debateView';
import { PresenceList } from './PresenceList';
import { StateBadge } from './StateBadge';

interface HeaderProps {
  view: DebateView;
  connection: Snapshot['connection'];
  issuesPanel: IssuesPanelState;
  planPanel: PlanPanelState;
  /** The newest version of the plan that the loaded arguments cite. */
  planVersion: number | null;
  onMotion: () => void;
  onSeats: (debate: Debate) => void;
}

export function Header({
  view,
  connection,
  issuesPanel,
  planPanel,
  planVersion,
  onMotion,
  onSeats,
}: HeaderProps) {
  const t = useT();
  const { debate } = view;
  const copy = useCopy();
  useShortcuts({ c: () => void copy(debate.id) });
  return (
    <header className="border-b bg-background/90 px-3 py-2.5 sm:px-6">
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-2 md:grid-cols-[minmax(0,1fr)_auto]">
        <Link
          href="/"
          aria-label={t('list.back')}
          className="grid size-9 shrink-0 place-items-center rounded-lg text-muted-foreground hover:bg-accent md:hidden"
        >
          <ArrowLeft aria-hidden className="size-5" />
        </Link>
        <h1
          dir="auto"
          title={debate.title}
          className="line-clamp-2 text-[17px] leading-snug font-semibold tracking-tight [unicode-bidi:isolate] wrap-anywhere max-sm:self-center sm:line-clamp-1"
        >
          {debate.title}
        </h1>
        <div className="flex items-center gap-0.5 sm:row-span-2">
          <ConnectionBadge connection={connection} />
          <PlanButton version={planVersion} panel={planPanel} />
          <IssuesButton counts={debate.issue_counts} panel={issuesPanel} />
          <SeatsMenu debate={debate} onFreed={onSeats} />
          <IconButton
            icon={Milestone}
            label={t('jump.motion')}
            className="max-sm:hidden"
            onClick={onMotion}
          />
          <CopyMenu debateId={debate.id} />
        </div>
        {/* On a phone it has the whole width. */}
        <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1.5 max-sm:col-span-full sm:col-start-2 md:col-start-1">
          <StateBadge state={debate.state} />
          <span className="text-xs text-muted-foreground max-sm:hidden">
            {t.label('type', debate.debate_type)}
          </span>
          <PresenceList debate={debate} told={view.presence} />
        </div>
      </div>
    </header>
  );
}
