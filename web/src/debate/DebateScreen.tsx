import { FileQuestion, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { api } from '@/api/client';
import { token } from '@/api/token';
import type { Failure } from '@/api/types';
import { useT } from '@/i18n';
import { Dock } from '@/ruling/Dock';
import { noteFailure } from '@/shell/access';
import { Link } from '@/shell/Link';
import { debateIdIn, replaceHash } from '@/shell/router';
import { useSession } from '@/shell/useSession';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { HistoryWarning } from '@/witness/HistoryWarning';
import { heads } from '@/witness/heads';
import { Header } from './Header';
import { Newcomer } from './Newcomer';
import { DebateSession, type Snapshot, seqInHash } from './session';
import { ThreadSkeleton } from './ThreadSkeleton';

// Markdown and the long list weigh as much as the rest: on the list's page they can wait, beside a debate they are
// fetched as early as can be.
const thread = () => import('./Thread');
const Thread = lazy(thread);
if (typeof location !== 'undefined' && debateIdIn(location.pathname) !== null) void thread();

interface DebateScreenProps {
  debateId: string;
  /** Whether the list has it: a debate may be opened after its address was. */
  listed: boolean;
}

export function DebateScreen({ debateId, listed }: DebateScreenProps) {
  const t = useT();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => void thread(), []);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is a new session
  const create = useCallback(
    () => new DebateSession({ debateId, api, heads, token: () => token.get(), onFailure: noteFailure }),
    [debateId, attempt],
  );
  const running = useSession<Snapshot, DebateSession>(create);
  if (running === null || running.snapshot.phase.name === 'loading') {
    return <ThreadSkeleton label={t('thread.loading')} />;
  }
  const { session, snapshot } = running;
  const { phase } = running.snapshot;
  if (phase.name === 'failed') {
    return <Failed failure={phase.failure} debateId={debateId} listed={listed} onRetry={retry} />;
  }
  return phase.name === 'ready' ? (
    <Open key={debateId} session={session} snapshot={snapshot} view={phase.view} onFresh={retry} />
  ) : null;
}

interface OpenProps {
  session: DebateSession;
  snapshot: Snapshot;
  view: Extract<Snapshot['phase'], { name: 'ready' }>['view'];
  /** Loads the debate anew. */
  onFresh: () => void;
}

function Open({ session, snapshot, view, onFresh }: OpenProps) {
  const t = useT();
  const [target, setTarget] = useState(() => {
    const seq = seqInHash();
    return seq === null ? null : { seq };
  });

  const jump = useCallback(
    async (seq: number) => {
      if (await session.show(seq)) {
        replaceHash(seq);
        setTarget({ seq });
      }
    },
    [session],
  );
  const onJump = useCallback((seq: number) => void jump(seq), [jump]);
  const onOlder = useCallback(() => void session.loadOlder(), [session]);
  const onNewer = useCallback(() => void session.loadNewer(), [session]);
  const onAccept = useCallback(() => {
    session.acceptHistory();
    onFresh();
  }, [session, onFresh]);

  useEffect(() => {
    const follow = () => {
      const seq = seqInHash();
      if (seq !== null) onJump(seq);
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [onJump]);

  return (
    <>
      <Header view={view} connection={snapshot.connection} onMotion={() => onJump(view.motion.seq)} />
      {snapshot.alarm && <HistoryWarning alarm={snapshot.alarm} onAccept={onAccept} />}
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
      <Newcomer last={view.last} />
      <Dock session={session} view={view} snapshot={snapshot} />
    </>
  );
}

interface FailedProps {
  failure: Failure;
  debateId: string;
  listed: boolean;
  onRetry: () => void;
}

function Failed({ failure, debateId, listed, onRetry }: FailedProps) {
  const t = useT();
  // An address that was cut short is malformed rather than unknown; to the person it is the same.
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
      <p className="text-sm text-muted wrap-anywhere">
        {missing ? t('missing.text', { id: debateId }) : t.failure(failure)}
      </p>
      {missing ? (
        <Link href="/" className="rounded-lg border bg-surface px-4 py-2 text-sm font-medium hover:bg-hover">
          {t('list.back')}
        </Link>
      ) : (
        <Button onClick={onRetry}>{t('failed.retry')}</Button>
      )}
    </Notice>
  );
}
