import { QueryClientProvider } from '@tanstack/react-query';
import { FileQuestion, TriangleAlert } from 'lucide-react';
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Argument, Failure } from '@/api/types';
import { pageQueries } from '@/documents/queries';
import { HistoryWarning } from '@/historyCheck/HistoryWarning';
import { useT } from '@/i18n';
import { severitiesIn } from '@/issues/ledger';
import { type IssuesPanelState, useIssuesPanel } from '@/issues/useIssuesPanel';
import { useInAddress } from '@/lib/router';
import { type Store, useStore } from '@/lib/store';
import { useLiveStore } from '@/lib/useLiveStore';
import { keepComment, type PlanComment } from '@/plan/lineComments';
import { type PlanPanelState, usePlanPanel } from '@/plan/usePlanPanel';
import { HandOver } from '@/start/HandOver';
import { Button, ButtonLink } from '@/ui/button';
import { PlanLinksContext } from '@/ui/CitedDocumentLink';
import { cn } from '@/ui/cn';
import { IssueLinksContext } from '@/ui/IssueLink';
import { Loading } from '@/ui/Loading';
import { lazyComponent } from '@/ui/lazyComponent';
import { Notice } from '@/ui/notice';
import { LoadingPanel } from '@/ui/SidePanel';
import { TextSkeleton } from '@/ui/Skeleton';
import { useDeferredArrival } from '@/ui/useDeferredArrival';
import { useMediaQuery } from '@/ui/useMediaQuery';
import { Header } from './DebateHeader';
import { DebateStore, type Snapshot } from './debateStore';
import { type DebateView, isOver } from './debateView';
import { missingSides } from './missingSides';
import { withoutPlanLine } from './planLine';
import { ActionBar } from './ruling/ActionBar';
import { Decision } from './ruling/Decision';
import { createDraft, type Draft } from './ruling/draft';
import { type NewIssue, withNewIssue } from './ruling/issueDecisions';
import { useRulingRequest } from './ruling/rulingRequest';
import { Thread } from './Thread';
import { useDebateAddress } from './useDebateAddress';
import { useFoundWords } from './useFoundWords';

const IssuesPanel = lazyComponent(
  () => import('@/issues/IssuesPanel'),
  ({ panel }) => <LoadingPanel panel={panel} />,
);
const RecordScreen = lazyComponent(
  () => import('@/record/RecordScreen'),
  () => <TextSkeleton />,
);
const PlanPanel = lazyComponent(
  () => import('@/plan/PlanPanel'),
  ({ panel }) => <LoadingPanel panel={panel} />,
);

interface DebateScreenProps {
  debateId: string;
  /** Whether the list has the debate: a page may be open before its debate is created. */
  listed: boolean;
}

// The list, beside it, changes often.
export default memo(function DebateScreen(props: DebateScreenProps) {
  const [attempt, setAttempt] = useState(0);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  // Each attempt has a new store.
  return <LoadedDebate key={attempt} {...props} onRetry={retry} />;
});

function LoadedDebate({ debateId, listed, onRetry }: DebateScreenProps & { onRetry: () => void }) {
  const recordShown = useInAddress('record');
  const create = useCallback(() => new DebateStore(debateId), [debateId]);
  const running = useLiveStore<Snapshot, DebateStore>(create);
  const loading = <TextSkeleton />;
  if (running === null) return loading;
  const { store, snapshot } = running;
  const { view, failure } = snapshot;
  if (failure !== null) {
    return <LoadError failure={failure} debateId={debateId} listed={listed} onRetry={onRetry} />;
  }
  if (view === null) return loading;
  return (
    <QueryClientProvider client={pageQueries}>
      {recordShown ? (
        <RecordScreen debate={view.debate} over={isOver(view)} />
      ) : (
        <OpenDebate store={store} snapshot={snapshot} view={view} onReload={onRetry} />
      )}
    </QueryClientProvider>
  );
}

interface OpenDebateProps {
  store: DebateStore;
  snapshot: Snapshot;
  view: DebateView;
  onReload: () => void;
}

function OpenDebate({ store, snapshot, view, onReload }: OpenDebateProps) {
  const t = useT();
  const { target, deciding, onJump } = useDebateAddress(store, view);
  useFoundWords(view.debate.id);

  function onAccept() {
    store.historyChecker.accept();
    pageQueries.clear();
    onReload();
  }

  const issuesPanel = useIssuesPanel(view.debate.id);
  const planPanel = usePlanPanel(view.debate.id, view.debate.plan !== null);
  useOneOf(issuesPanel, planPanel);
  const [draft] = useState(() => createDraft(view.debate.id));
  const { show } = issuesPanel;
  const { debate, motion, presence, issues } = view;
  // The link that leads here goes with the debate that was read.
  const decision = useRef<HTMLElement>(null);
  useEffect(() => {
    if (deciding && document.activeElement === document.body) decision.current?.focus();
  }, [deciding]);
  const missing = presence === null || isOver(view) ? [] : missingSides(view, presence.waiting);
  const issueLinks = useMemo(() => {
    const byId = new Map(issues.map((issue) => [issue.id, issue]));
    return { path: '', find: (id: string) => byId.get(id), severityAt: severitiesIn(view.items), show };
  }, [issues, view.items, show]);

  return (
    <IssueLinksContext value={issueLinks}>
      <PlanLinksContext value={planPanel.show}>
        <Header
          view={view}
          connection={snapshot.connection}
          issuesPanel={issuesPanel}
          planPanel={planPanel}
          onMotion={() => onJump(view.motion.seq)}
          onSeats={(freed) => store.setSeats(freed)}
        />
        {snapshot.alarm && <HistoryWarning alarm={snapshot.alarm} onAccept={onAccept} />}
        <div className={cn('flex min-h-0 flex-1', !deciding && 'low:h-dvh low:flex-none')}>
          <div className="flex min-w-0 flex-1 flex-col">
            {deciding ? (
              <section
                ref={decision}
                aria-label={t('ruling.decision')}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
                tabIndex={0}
                className="flex min-h-0 flex-1 above-bar flex-col overflow-y-auto outline-offset-[-2px]"
              >
                <div className="mx-auto flex w-full max-w-[52rem] shrink-0 grow flex-col px-3 pt-1.5 sm:px-6 sm:pt-4">
                  <OpenDecision view={view} draft={draft} />
                </div>
              </section>
            ) : (
              <>
                <Thread store={store} view={view} paging={snapshot.paging} target={target} onJump={onJump} />
                {missing.length > 0 && (
                  <HandOver debate={debate} task={withoutPlanLine(motion.content).text} missing={missing} />
                )}
              </>
            )}
            <Announcer last={view.last} />
            <ActionBar store={store} view={view} snapshot={snapshot} draft={draft} deciding={deciding} />
          </div>
          {issuesPanel.open && <IssuesPanel panel={issuesPanel} view={view} onJump={onJump} />}
          {planPanel.open && <Plan panel={planPanel} view={view} draft={draft} onJump={onJump} />}
        </div>
      </PlanLinksContext>
    </IssueLinksContext>
  );
}

function OpenDecision({ view, draft }: { view: DebateView; draft: Store<Draft> }) {
  const { debate } = view;
  const asked = useRulingRequest(view, view);
  const request = useDeferredArrival(asked.request);
  if (request === undefined) return <Loading query={asked} />;
  return <Decision debate={debate} request={request} draft={draft} />;
}

/** The panel with the plan. It alone is rendered again when its comments in the draft change. */
function Plan({ panel, view, draft: stored, onJump }: PlanProps) {
  const draft = useStore(stored);
  const collector = {
    comments: draft.comments,
    comment: (comment: Omit<PlanComment, 'key'>, key: string | null) => {
      const kept = keepComment(draft.comments, comment, key);
      stored.set({ ...draft, comments: kept.comments });
      return kept.key;
    },
    raise: (issue: Omit<NewIssue, 'key'>) => stored.set({ ...draft, ...withNewIssue(draft, issue) }),
  };
  return <PlanPanel panel={panel} view={view} collector={isOver(view) ? null : collector} onJump={onJump} />;
}

/** Only a very wide screen has room for two panels beside the debate: opening one closes the other. */
const ROOM_FOR_TWO = '(min-width: 118rem)';

function useOneOf(issuesPanel: IssuesPanelState, planPanel: PlanPanelState): void {
  const roomy = useMediaQuery(ROOM_FOR_TWO);
  const planAlone = useRef(false);
  useEffect(() => {
    const both = issuesPanel.open && planPanel.open;
    if (both && !roomy) (planAlone.current ? planPanel : issuesPanel).close();
    planAlone.current = planPanel.open && !both;
  });
}

interface PlanProps {
  panel: PlanPanelState;
  view: DebateView;
  draft: Store<Draft>;
  onJump: (seq: number) => void;
}

interface LoadErrorProps {
  failure: Failure;
  debateId: string;
  listed: boolean;
  onRetry: () => void;
}

function LoadError({ failure, debateId, listed, onRetry }: LoadErrorProps) {
  const t = useT();
  // A malformed id, as from an address that was cut short, is shown like an unknown one.
  const missing = failure.code === 'DEBATE_NOT_FOUND' || failure.code === 'INVALID_INPUT';
  useEffect(() => {
    if (missing && listed) onRetry();
  }, [missing, listed, onRetry]);
  return (
    <Notice
      heading="h1"
      icon={missing ? FileQuestion : TriangleAlert}
      title={missing ? t('missing.title') : t('failed.title')}
      text={missing ? t('missing.text', { id: debateId }) : t.failure(failure)}
    >
      {missing ? (
        <ButtonLink href="/">{t('list.back')}</ButtonLink>
      ) : (
        <Button onClick={onRetry}>{t('failed.retry')}</Button>
      )}
    </Notice>
  );
}

/** Announces each new argument to screen readers. */
function Announcer({ last }: { last: Argument }) {
  const t = useT();
  const { seq } = last;
  const [first] = useState(seq);
  const role = t.label('role', last.role);
  const type = t.label('argument', last.type);
  return (
    <p role="log" aria-live="polite" className="sr-only">
      {seq > first && t('thread.announce', { role, type, seq })}
    </p>
  );
}
