import { FileQuestion, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { api } from '@/api/client';
import { token } from '@/api/token';
import type { Failure } from '@/api/types';
import { handleAuthFailure } from '@/auth/access';
import { HistoryWarning } from '@/historyCheck/HistoryWarning';
import { lastSeen } from '@/historyCheck/lastSeen';
import { useT } from '@/i18n';
import { useIssuesPanel } from '@/issues/useIssuesPanel';
import { debateIdIn, replaceHash, seqInHash } from '@/lib/router';
import { useLiveStore } from '@/lib/useLiveStore';
import { Button } from '@/ui/button';
import { IssueLinksContext } from '@/ui/issueLinks';
import { Link } from '@/ui/Link';
import { Notice } from '@/ui/notice';
import { Announcer } from './Announcer';
import { Header } from './DebateHeader';
import { DebateStore, type Snapshot } from './debateStore';
import { ActionBar } from './ruling/ActionBar';
import { ThreadSkeleton } from './ThreadSkeleton';

// Markdown and the virtual list are half of all code. They are loaded lazily, and at once if the address has a debate.
const loadThread = () => import('./Thread');
const Thread = lazy(loadThread);
if (typeof location !== 'undefined' && debateIdIn(location.pathname) !== null) void loadThread();
const IssuesPanel = lazy(() => import('@/issues/IssuesPanel'));

interface DebateScreenProps {
  debateId: string;
  /** Whether the list has the debate: a page may be open before its debate is created. */
  listed: boolean;
}

export function DebateScreen({ debateId, listed }: DebateScreenProps) {
  const t = useT();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => void loadThread(), []);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt needs a new store
  const create = useCallback(
    () =>
      new DebateStore({ debateId, api, lastSeen, token: () => token.get(), onFailure: handleAuthFailure }),
    [debateId, attempt],
  );
  const running = useLiveStore<Snapshot, DebateStore>(create);
  if (running === null || running.snapshot.phase.name === 'loading') {
    return <ThreadSkeleton label={t('thread.loading')} />;
  }
  const { store, snapshot } = running;
  const { phase } = snapshot;
  if (phase.name === 'failed') {
    return <LoadError failure={phase.failure} debateId={debateId} listed={listed} onRetry={retry} />;
  }
  return phase.name === 'ready' ? (
    <OpenDebate key={debateId} store={store} snapshot={snapshot} view={phase.view} onReload={retry} />
  ) : null;
}

interface OpenDebateProps {
  store: DebateStore;
  snapshot: Snapshot;
  view: Extract<Snapshot['phase'], { name: 'ready' }>['view'];
  onReload: () => void;
}

function OpenDebate({ store, snapshot, view, onReload }: OpenDebateProps) {
  const t = useT();
  const [target, setTarget] = useState(() => {
    const seq = seqInHash();
    return seq === null ? null : { seq };
  });

  const jump = useCallback(
    async (seq: number) => {
      if (await store.show(seq)) {
        replaceHash(seq);
        setTarget({ seq });
      }
    },
    [store],
  );
  const onJump = useCallback((seq: number) => void jump(seq), [jump]);
  const onOlder = useCallback(() => void store.loadOlder(), [store]);
  const onNewer = useCallback(() => void store.loadNewer(), [store]);
  const onAccept = useCallback(() => {
    store.acceptHistory();
    onReload();
  }, [store, onReload]);

  useEffect(() => {
    const onHashChange = () => {
      const seq = seqInHash();
      if (seq !== null) onJump(seq);
    };
    window.addEventListener('hashchange', onHashChange);
    return () => window.removeEventListener('hashchange', onHashChange);
  }, [onJump]);

  const issuesPanel = useIssuesPanel();
  const { show } = issuesPanel;
  const { issues } = view;
  const issueLinks = useMemo(() => {
    const byId = new Map(issues.map((issue) => [issue.id, issue]));
    return { find: (id: string) => byId.get(id), show };
  }, [issues, show]);

  return (
    <IssueLinksContext value={issueLinks}>
      <Header
        view={view}
        connection={snapshot.connection}
        issuesPanel={issuesPanel}
        onMotion={() => onJump(view.motion.seq)}
      />
      {snapshot.alarm && <HistoryWarning alarm={snapshot.alarm} onAccept={onAccept} />}
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <Suspense fallback={<ThreadSkeleton label={t('thread.loading')} />}>
            <Thread
              view={view}
              paging={snapshot.paging}
              target={target}
              onJump={onJump}
              onOlder={onOlder}
              onNewer={onNewer}
            />
          </Suspense>
          <Announcer last={view.last} />
          <ActionBar store={store} view={view} snapshot={snapshot} />
        </div>
        <Suspense>
          {issuesPanel.open && (
            <IssuesPanel
              panel={issuesPanel}
              debateId={view.debate.id}
              issues={issues}
              counts={view.debate.issue_counts}
              onJump={onJump}
            />
          )}
        </Suspense>
      </div>
    </IssueLinksContext>
  );
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
    >
      <p className="text-sm text-muted-foreground wrap-anywhere">
        {missing ? t('missing.text', { id: debateId }) : t.failure(failure)}
      </p>
      {missing ? (
        <Link href="/" className="rounded-lg border bg-card px-4 py-2 text-sm font-medium hover:bg-accent">
          {t('list.back')}
        </Link>
      ) : (
        <Button onClick={onRetry}>{t('failed.retry')}</Button>
      )}
    </Notice>
  );
}
