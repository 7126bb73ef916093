import { ListChecks } from 'lucide-react';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import type { Debate, Issue } from '@/api/types';
import { useT } from '@/i18n';
import { DebateTimeline } from '@/timeline/DebateTimeline';
import { Choices } from '@/ui/Choices';
import { Disclosure } from '@/ui/Disclosure';
import { Notice } from '@/ui/notice';
import { jumpFrom, PanelHeader, SidePanel } from '@/ui/SidePanel';
import { toast } from '@/ui/toast';
import { IssueList } from './IssueList';
import { IssuePlot } from './IssuePlot';
import { countOf, filtersFor, firstFilter, matches } from './issueFilter';
import { countAll } from './ledger';
import type { FocusRequest, IssuesPanelState } from './useIssuesPanel';
import type { LedgerSource } from './useLedger';

interface DebateWithIssues extends LedgerSource {
  debate: Debate;
  issues: readonly Issue[];
}

interface IssuesPanelProps {
  panel: IssuesPanelState;
  view: DebateWithIssues;
  onJump: (seq: number) => void;
}

/** The issues of a debate, and its figures. */
export default function IssuesPanel(props: IssuesPanelProps) {
  const { panel, view } = props;
  const { debate, issues } = view;
  const { id: debateId, issue_counts: counts, last_seq: lastSeq } = debate;
  const t = useT();
  const onJump = jumpFrom(panel, props.onJump);
  const closeButton = useRef<HTMLButtonElement>(null);
  const [filter, setFilter] = useState(() => firstFilter(counts));
  const shown = issues.filter((issue) => matches(issue, filter));
  const { request } = panel;
  // The panel is painted before its list is rendered, so that the key that opens it is answered soon.
  const painted = useDeferredValue(true, false);
  // Before, it may be one that is settled.
  const allKnown = issues.length >= countAll(counts);

  // Each request is answered once. The issue may not be loaded yet.
  const answered = useRef<FocusRequest | null>(null);
  useEffect(() => {
    if (request === null || request === answered.current) return;
    const wanted = issues.find(({ id }) => id === request.id);
    const missing = wanted === undefined && request.id !== null;
    if (missing && !allKnown) return;
    answered.current = request;
    if (missing) toast(t('issues.missing', { id: request.id ?? '' }), 'bad');
    if (wanted && !matches(wanted, filter)) setFilter('all');
    if (request.id === null && shown.length === 0) closeButton.current?.focus();
  }, [request, issues, filter, shown.length, allKnown, t]);

  return (
    <SidePanel panel={panel}>
      <PanelHeader ref={closeButton} panel={panel} />
      {issues.length === 0 ? (
        <Notice icon={ListChecks} title={t('issues.empty')} text={t('issues.empty.text')} heading="h3" />
      ) : (
        <>
          <Choices
            look="pills"
            label={t('issues.filter')}
            chosen={filter}
            choices={filtersFor(counts, filter).map((each) => [
              each,
              `${t.label('status', each)} ${countOf(counts, each)}`,
            ])}
            className="border-b px-4 pb-3"
            onChoose={setFilter}
          />
          {shown.length === 0 && (
            <p role="status" className="p-6 text-center text-sm text-muted-foreground">
              {t('issues.nothing')}
            </p>
          )}
          {painted ? (
            <IssueList source={view} issues={shown} request={request} onJump={onJump} />
          ) : (
            <div className="flex-1" />
          )}
        </>
      )}
      <Disclosure title={t('timeline.label')} className="shrink-0 border-t px-4 py-1">
        {() => (
          <div className="-mx-4 max-h-[45dvh] overflow-y-auto pt-1">
            <DebateTimeline debateId={debateId} lastSeq={lastSeq} />
            {issues.length > 0 && <IssuePlot source={view} />}
          </div>
        )}
      </Disclosure>
    </SidePanel>
  );
}
