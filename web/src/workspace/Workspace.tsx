import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { api } from '@/api/client';
import { token } from '@/api/token';
import { handleAuthFailure } from '@/auth/access';
import { DebateScreen } from '@/debate/DebateScreen';
import { DebateListSkeleton } from '@/debateList/DebateListSkeleton';
import { type DebateListSnapshot, DebateListStore } from '@/debateList/debateListStore';
import { countNeedingRuling, groupDebates } from '@/debateList/debates';
import { Sidebar } from '@/debateList/Sidebar';
import { useT } from '@/i18n';
import { openDocuments, useDocumentsRoute } from '@/lib/documentRoute';
import { type Theme, theme } from '@/lib/preferences';
import { useLiveStore } from '@/lib/useLiveStore';
import { useShortcuts } from '@/lib/useShortcuts';
import { notifyRulingNeeded } from '@/notifications/notifications';
import { AppLayout } from './AppLayout';
import { NoDebateOpen } from './NoDebateOpen';

const ShortcutsDialog = lazy(() => import('./ShortcutsDialog'));
const DocumentsDrawer = lazy(() => import('@/documents/DocumentsDrawer'));

const NEXT_THEME: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const NO_FILTER = { q: '', state: null };

const createList = () =>
  new DebateListStore({
    api,
    token: () => token.get(),
    onFailure: handleAuthFailure,
    onRulingNeeded: (debate) => void notifyRulingNeeded(debate),
  });

/** The page once the server accepts requests: the list, the open debate, and the drawer with documents. */
export function Workspace({ debateId }: { debateId: string | null }) {
  const t = useT();
  const [showShortcuts, setShowShortcuts] = useState(false);
  const list = useLiveStore<DebateListSnapshot, DebateListStore>(createList);
  const openShortcuts = useCallback(() => setShowShortcuts(true), []);
  const documentsRoute = useDocumentsRoute();
  useShortcuts({
    '?': openShortcuts,
    d: () => openDocuments({ kind: 'list' }),
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
      open={debateId !== null}
      skipLabel={t('app.skip')}
      list={
        list === null ? (
          <DebateListSkeleton />
        ) : (
          <Sidebar
            store={list.store}
            snapshot={list.snapshot}
            openId={debateId}
            onShowShortcuts={openShortcuts}
          />
        )
      }
    >
      {debateId === null ? (
        <NoDebateOpen needed={needed} next={debates && groupDebates(debates, NO_FILTER).needed[0]} />
      ) : (
        <DebateScreen key={debateId} debateId={debateId} listed={debates?.has(debateId) ?? false} />
      )}
      <Suspense>{documentsRoute !== null && <DocumentsDrawer route={documentsRoute} />}</Suspense>
      <Suspense>{showShortcuts && <ShortcutsDialog onClose={() => setShowShortcuts(false)} />}</Suspense>
    </AppLayout>
  );
}
