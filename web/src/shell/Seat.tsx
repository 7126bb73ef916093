import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { api } from '@/api/client';
import { token } from '@/api/token';
import { DebateScreen } from '@/debate/DebateScreen';
import { open, usePlace } from '@/documents/place';
import { useT } from '@/i18n';
import { countNeeded, grouped } from '@/list/collection';
import { ListSkeleton } from '@/list/ListSkeleton';
import { Sidebar } from '@/list/Sidebar';
import { ListSession, type ListSnapshot } from '@/list/session';
import { notifyNeeded } from '@/notify/notify';
import { noteFailure } from './access';
import { type Theme, theme } from './prefs';
import { Shell } from './Shell';
import { useShortcuts } from './shortcuts';
import { useSession } from './useSession';
import { Welcome } from './Welcome';

const ShortcutSheet = lazy(() => import('./ShortcutSheet'));
const DocumentsPanel = lazy(() => import('@/documents/DocumentsPanel'));

const NEXT_THEME: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const EVERYTHING = { q: '', state: null };

const createList = () =>
  new ListSession({
    api,
    token: () => token.get(),
    onFailure: noteFailure,
    onNeeded: (debate) => void notifyNeeded(debate),
  });

/** The whole page of somebody whom the server lets in. */
export function Seat({ debateId }: { debateId: string | null }) {
  const t = useT();
  const [help, setHelp] = useState(false);
  const list = useSession<ListSnapshot, ListSession>(createList);
  const openHelp = useCallback(() => setHelp(true), []);
  const place = usePlace();
  useShortcuts({
    '?': openHelp,
    d: () => open({ kind: 'list' }),
    t: () => theme.set(NEXT_THEME[theme.get()]),
  });

  const known = list?.snapshot.known;
  const needed = known ? countNeeded(known) : 0;
  const title = debateId === null ? undefined : known?.get(debateId)?.title;
  useEffect(() => {
    document.title = `${needed > 0 ? `(${needed}) ` : ''}${title ? `${title} · ` : ''}${t('app.name')}`;
  }, [needed, title, t]);

  return (
    <Shell
      open={debateId !== null}
      skip={t('app.skip')}
      list={
        list === null ? (
          <ListSkeleton />
        ) : (
          <Sidebar session={list.session} snapshot={list.snapshot} openId={debateId} onHelp={openHelp} />
        )
      }
    >
      {debateId === null ? (
        <Welcome needed={needed} next={known && grouped(known, EVERYTHING).needed[0]} />
      ) : (
        <DebateScreen key={debateId} debateId={debateId} listed={known?.has(debateId) ?? false} />
      )}
      <Suspense>{place !== null && <DocumentsPanel place={place} />}</Suspense>
      <Suspense>{help && <ShortcutSheet onClose={() => setHelp(false)} />}</Suspense>
    </Shell>
  );
}
