import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useState } from 'react';
import { api } from '@/api/client';
import { token } from '@/api/token';
import { handleAuthFailure } from '@/auth/access';
import { ThreadSkeleton } from '@/debate/ThreadSkeleton';
import { DebateListSkeleton } from '@/debateList/DebateListSkeleton';
import { type DebateListSnapshot, DebateListStore } from '@/debateList/debateListStore';
import { countNeedingRuling } from '@/debateList/debates';
import { Sidebar } from '@/debateList/Sidebar';
import { useT } from '@/i18n';
import { openDocuments, useDocumentsRoute } from '@/lib/documentRoute';
import { useFirstViewShown, useFirstViewTimeout } from '@/lib/firstView';
import { showsPlan } from '@/lib/planRoute';
import { type Theme, theme } from '@/lib/preferences';
import { showsRecord } from '@/lib/recordRoute';
import { debateIdIn, inboxPath, listInAddress, navigate, useListOpen } from '@/lib/router';
import { useLiveStore } from '@/lib/useLiveStore';
import { useShortcuts } from '@/lib/useShortcuts';
import { startParser } from '@/markdown/parse';
import { notifyRulingNeeded } from '@/notifications/notifications';
import { useMediaQuery } from '@/ui/useMediaQuery';
import { panelsAreSheets } from '@/ui/usePanel';
import { AppLayout } from './AppLayout';

// Loaded with the page only if the address has a debate, and else once the list is there.
const loadDebateScreen = () => import('@/debate/DebateScreen');
const DebateScreen = lazy(loadDebateScreen);
if (typeof location !== 'undefined' && debateIdIn(location.pathname) !== null) {
  void loadDebateScreen();
  // What it will load, at the same time.
  const covered = showsRecord(location.search) || (showsPlan(location.search) && panelsAreSheets());
  if (!covered) void import('@/debate/Thread');
  startParser();
}
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog'));
const DocumentsDrawer = lazy(() => import('@/documents/DocumentsDrawer'));
const loadInbox = () => import('@/inbox/InboxScreen');
const InboxScreen = lazy(loadInbox);
if (typeof location !== 'undefined' && debateIdIn(location.pathname) === null) void loadInbox();

/** Where the list has no room beside the page. */
const PHONE = '(max-width: 47.99rem)';

const NEXT_THEME: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

const createList = () =>
  new DebateListStore({
    api,
    token: () => token.get(),
    onFailure: handleAuthFailure,
    onRulingNeeded: (debate) => void notifyRulingNeeded(debate),
    dueFirst: matchMedia(PHONE).matches && debateIdIn(location.pathname) === null && !listInAddress(),
  });

/** The page once the server accepts requests: the list, the open debate, and the drawer with documents. */
export function Workspace({ debateId }: { debateId: string | null }) {
  const t = useT();
  const [showShortcuts, setShowShortcuts] = useState(false);
  const phone = useMediaQuery(PHONE);
  const listOpen = useListOpen();
  const shown = useFirstViewShown();
  useFirstViewTimeout();
  // A phone does not show the list beside another page: it is loaded after that.
  const list = useLiveStore<DebateListSnapshot, DebateListStore>(
    !phone || debateId === null || shown ? createList : null,
  );
  // While it is not seen, rendering it does not block the page.
  const listSeen = !phone || (debateId === null && listOpen);
  const deferred = useDeferredValue(list?.snapshot);
  const openShortcuts = useCallback(() => setShowShortcuts(true), []);
  const listStore = list?.store;
  useEffect(() => {
    // Loaded again when it is needed.
    if (shown) void loadDebateScreen().catch(() => undefined);
    if (shown || listOpen) listStore?.startRest();
  }, [shown, listOpen, listStore]);
  const documentsRoute = useDocumentsRoute();
  useShortcuts({
    '?': openShortcuts,
    d: () => openDocuments({ kind: 'list' }),
    u: () => navigate(inboxPath()),
    t: () => theme.set(NEXT_THEME[theme.get()]),
  });

  const debates = list?.snapshot.debates;
  const needed = debates ? countNeedingRuling(debates) : 0;
  const title = debateId === null ? undefined : debates?.get(debateId)?.title;
  useEffect(() => {
    document.title = `${needed > 0 ? `(${needed}) ` : ''}${title ? `${title} · ` : ''}${t('app.name')}`;
  }, [needed, title, t]);

  return (
    <AppLayout
      listOpen={debateId === null && listOpen}
      skipLabel={t('app.skip')}
      list={
        list === null || !(listSeen || shown) ? (
          <DebateListSkeleton />
        ) : (
          <Sidebar
            store={list.store}
            snapshot={(listSeen ? undefined : deferred) ?? list.snapshot}
            openId={debateId}
            listOpen={listOpen}
            onShowShortcuts={openShortcuts}
          />
        )
      }
    >
      {debateId === null ? (
        <Suspense>{list !== null && <InboxScreen store={list.store} snapshot={list.snapshot} />}</Suspense>
      ) : (
        <Suspense fallback={<ThreadSkeleton label={t('thread.loading')} />}>
          <DebateScreen key={debateId} debateId={debateId} listed={debates?.has(debateId) ?? false} />
        </Suspense>
      )}
      <Suspense>{documentsRoute !== null && <DocumentsDrawer route={documentsRoute} />}</Suspense>
      <Suspense>{showShortcuts && <ShortcutsDialog onClose={() => setShowShortcuts(false)} />}</Suspense>
    </AppLayout>
  );
}
