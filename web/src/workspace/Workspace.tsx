import { FileQuestion } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { focusAction } from '@/debate/ruling/focusBox';
import { ruledIds } from '@/debate/ruling/undo/ruledIds';
import { type DebateListSnapshot, DebateListStore } from '@/debateList/debateListStore';
import { Sidebar } from '@/debateList/Sidebar';
import { useT } from '@/i18n';
import { openDocuments, useDocumentsRoute } from '@/lib/documentRoute';
import { visible } from '@/lib/hiddenCharacters';
import { type Theme, theme } from '@/lib/preferences';
import { debateIdIn, inboxPath, NEW_PATH, navigate, useInAddress, useUnknownPage } from '@/lib/router';
import { useStore } from '@/lib/store';
import { useLiveStore } from '@/lib/useLiveStore';
import { useShortcuts } from '@/lib/useShortcuts';
import { startWorker } from '@/notifications/notifications';
import { ButtonLink } from '@/ui/button';
import { lazyComponent, loadComponents } from '@/ui/lazyComponent';
import { Notice } from '@/ui/notice';
import { DebateListSkeleton, TextSkeleton } from '@/ui/Skeleton';
import { AppLayout } from './AppLayout';
import { LoadingDrawer } from './LoadingDrawer';
import { OutageLine } from './OutageLine';
import { useFocusKept } from './useFocusKept';

const DebateScreen = lazyComponent(
  () => import('@/debate/DebateScreen'),
  () => <TextSkeleton />,
);
const InboxScreen = lazyComponent(
  () => import('@/inbox/InboxScreen'),
  () => <TextSkeleton />,
);
const NewDebateScreen = lazyComponent(
  () => import('@/start/NewDebateScreen'),
  () => <TextSkeleton />,
);
const UnsentRulingList = lazyComponent(() => import('@/debate/ruling/undo/UnsentRulingList'));
const DocumentsDrawer = lazyComponent(
  () => import('@/documents/DocumentsDrawer'),
  () => <LoadingDrawer />,
);
const ShortcutsDialog = lazyComponent(() => import('./ShortcutsDialog'));

// What the address is about is loaded before React begins to render the page around it.
if (typeof location !== 'undefined') {
  const screen = debateIdIn(location.pathname) === null ? InboxScreen : DebateScreen;
  screen.load().catch(() => undefined);
}

/** Until then the page has shown what its address is about. */
const LOAD_COMPONENTS_MS = 3_000;

const NEXT_THEME: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

const createList = () => new DebateListStore();

/** The page once the server accepts requests: the list, the open debate, and the drawer with documents. */
export function Workspace({ debateId }: { debateId: string | null }) {
  const t = useT();
  const [showShortcuts, setShowShortcuts] = useState(false);
  const listOpen = useInAddress('list');
  const newDebateOpen = useInAddress('new');
  const unknownPage = useUnknownPage();
  const list = useLiveStore<DebateListSnapshot, DebateListStore>(createList);
  const openShortcuts = useCallback(() => setShowShortcuts(true), []);
  useEffect(() => {
    const timer = setTimeout(() => void loadComponents(), LOAD_COMPONENTS_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => void startWorker(), []);
  useFocusKept();
  const documentsRoute = useDocumentsRoute();
  useShortcuts({
    '?': openShortcuts,
    d: () => openDocuments({ kind: 'list' }),
    u: () => navigate(inboxPath()),
    r: focusAction,
    a: () => navigate(NEW_PATH),
    t: () => theme.set(NEXT_THEME[theme.get()]),
  });

  // A debate whose ruling waits to be sent needs none any more, in the list as in the inbox: Undo brings it back.
  const ruled = useStore(ruledIds);
  const all = list?.snapshot;
  const snapshot = useMemo(
    () => all && { ...all, due: all.due.filter((id) => !ruled.includes(id)) },
    [all, ruled],
  );
  const debates = snapshot?.debates;
  const needed = snapshot === undefined ? 0 : snapshot.due.length + snapshot.dueBeyond;
  const title = debateId === null ? undefined : debates?.get(debateId)?.title;
  useEffect(() => {
    document.title = `${needed > 0 ? `(${needed}) ` : ''}${title ? `${title} · ` : ''}${t('app.name')}`;
  }, [needed, title, t]);

  return (
    <AppLayout
      listOpen={debateId === null && listOpen}
      skips={[
        [t('app.skip'), () => document.getElementById('debate')?.focus()],
        [t('app.skip.action'), focusAction],
      ]}
      list={
        list === null || snapshot === undefined ? (
          <DebateListSkeleton />
        ) : (
          <Sidebar
            store={list.store}
            snapshot={snapshot}
            openId={debateId}
            newOpen={debateId === null && newDebateOpen}
            listOpen={listOpen}
            onShowShortcuts={openShortcuts}
          />
        )
      }
    >
      {unknownPage ? (
        <Notice heading="h1" icon={FileQuestion} title={t('missing.page')} text={visible(location.pathname)}>
          <ButtonLink href="/">{t('list.back')}</ButtonLink>
        </Notice>
      ) : debateId === null && newDebateOpen ? (
        <NewDebateScreen />
      ) : debateId === null ? (
        list !== null && <InboxScreen snapshot={list.snapshot} onRetry={() => void list.store.refresh()} />
      ) : (
        <DebateScreen key={debateId} debateId={debateId} listed={debates?.has(debateId) ?? false} />
      )}
      {list !== null && <OutageLine connection={list.snapshot.connection} />}
      {documentsRoute !== null && <DocumentsDrawer route={documentsRoute} />}
      {list !== null && (
        <UnsentRulingList {...list.snapshot} openId={debateId} outbox={list.store.socket.outbox} />
      )}
      {showShortcuts && <ShortcutsDialog onClose={() => setShowShortcuts(false)} />}
    </AppLayout>
  );
}
