import { ChartColumn, ChevronUp, ListChecks, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Issue, IssueCounts } from '@/api/types';
import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import { Drawer, DrawerTitle } from '@/ui/drawer';
import { IconButton } from '@/ui/iconButton';
import { Notice } from '@/ui/notice';
import { PANEL_SPACE } from '@/ui/PanelButton';
import { firstFilter, IssueFilterBar, matches } from './IssueFilterBar';
import { IssueList } from './IssueList';
import { IssuePlot } from './IssuePlot';
import { useIssueHistories } from './useIssueHistories';
import type { FocusRequest, IssuesPanelState } from './useIssuesPanel';

interface IssuesPanelProps {
  panel: IssuesPanelState;
  debateId: string;
  issues: readonly Issue[];
  counts: IssueCounts;
  /** The figures of the debate, below the issues. */
  timeline: (onJump: (seq: number) => void) => ReactNode;
  onJump: (seq: number) => void;
}

/** The issues beside the debate, or in a sheet over it if the screen is not wide enough. */
export default function IssuesPanel(props: IssuesPanelProps) {
  const { panel, onJump } = props;
  const t = useT();

  function onKeyDown(event: KeyboardEvent) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== 'i' && event.key !== 'Escape') return;
    event.preventDefault();
    panel.close();
  }

  if (panel.wide) {
    return (
      <aside
        id={panel.id}
        aria-label={t('issues.title')}
        onKeyDown={onKeyDown}
        className={cn('flex flex-col', PANEL_SPACE.issues)}
      >
        <Ledger {...props} title={<h2 className="text-[15px] font-semibold">{t('issues.title')}</h2>} />
      </aside>
    );
  }

  // The sheet covers the argument that it leads to.
  function jump(seq: number) {
    panel.close();
    onJump(seq);
  }
  return (
    <Drawer size="narrow" onClose={panel.close}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys of the controls in it */}
      <div id={panel.id} onKeyDown={onKeyDown} className="flex min-h-0 flex-1 flex-col bg-sidebar">
        <Ledger
          {...props}
          onJump={jump}
          title={<DrawerTitle className="text-[15px] font-semibold">{t('issues.title')}</DrawerTitle>}
        />
      </div>
    </Drawer>
  );
}

function Ledger({
  panel,
  debateId,
  issues,
  counts,
  timeline,
  onJump,
  title,
}: IssuesPanelProps & { title: ReactNode }) {
  const t = useT();
  const closeButton = useRef<HTMLButtonElement>(null);
  const [filter, setFilter] = useState(() => firstFilter(counts));
  const histories = useIssueHistories(debateId, issues);
  const shown = issues.filter((issue) => matches(issue, filter));
  const { request } = panel;

  // Each request is answered once. The issue may not be loaded yet.
  const answered = useRef<FocusRequest | null>(null);
  useEffect(() => {
    if (request === null || request === answered.current) return;
    const wanted = issues.find(({ id }) => id === request.id);
    if (wanted === undefined && request.id !== null) return;
    answered.current = request;
    if (wanted && !matches(wanted, filter)) setFilter('all');
    if (request.id === null && shown.length === 0) closeButton.current?.focus();
  }, [request, issues, filter, shown.length]);

  return (
    <>
      <div className="flex items-center gap-2 py-2 pr-2 pl-4">
        {title}
        <IconButton
          ref={closeButton}
          icon={X}
          label={t('issues.close')}
          className="ml-auto"
          onClick={panel.close}
        />
      </div>
      {issues.length === 0 ? (
        <Notice icon={ListChecks} title={t('issues.empty')} heading="h3">
          <p className="text-sm text-muted-foreground">{t('issues.empty.text')}</p>
        </Notice>
      ) : (
        <>
          <IssueFilterBar counts={counts} filter={filter} onFilter={setFilter} />
          {shown.length === 0 && (
            <p role="status" className="p-6 text-center text-sm text-muted-foreground">
              {t('issues.nothing')}
            </p>
          )}
          <IssueList
            debateId={debateId}
            issues={shown}
            histories={histories}
            request={request}
            onJump={onJump}
          />
        </>
      )}
      <details className="group shrink-0 border-t">
        <summary className="flex cursor-pointer items-center gap-2 px-4 py-2.5 text-[13px] font-medium hover:bg-accent">
          <ChartColumn aria-hidden className="size-4 text-muted-foreground" />
          {t('timeline.label')}
          <ChevronUp aria-hidden className="ml-auto size-4 text-muted-foreground group-open:rotate-180" />
        </summary>
        <div className="max-h-[45dvh] overflow-y-auto pt-1">
          {timeline(onJump)}
          {issues.length > 0 && <IssuePlot histories={histories} />}
        </div>
      </details>
    </>
  );
}
