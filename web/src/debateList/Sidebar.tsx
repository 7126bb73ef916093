import {
  ChevronDown,
  Files,
  Inbox,
  ListFilter,
  Search,
  SearchX,
  Settings2,
  TriangleAlert,
  X,
} from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { type Debate, knownState, STATES } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath, navigate } from '@/lib/router';
import { useShortcuts } from '@/lib/useShortcuts';
import { Button } from '@/ui/button';
import { DocumentLink } from '@/ui/DocumentLink';
import { IconButton } from '@/ui/iconButton';
import { Logo } from '@/ui/Logo';
import { Notice } from '@/ui/notice';
import { DebateListSkeleton } from './DebateListSkeleton';
import { DebateRow } from './DebateRow';
import type { DebateListSnapshot, DebateListStore } from './debateListStore';
import { groupDebates } from './debates';

const SettingsMenu = lazy(() => import('@/settings/SettingsMenu'));

const TYPING_PAUSE_MS = 180;
const DOCUMENT_LIST = { kind: 'list' } as const;

interface SidebarProps {
  store: DebateListStore;
  snapshot: DebateListSnapshot;
  openId: string | null;
  onShowShortcuts: () => void;
}

export function Sidebar({ store, snapshot, openId, onShowShortcuts }: SidebarProps) {
  const t = useT();
  const { debates, filter, loaded, loading, failure, total, fetched } = snapshot;
  const [query, setQuery] = useState(filter.q);
  const search = useRef<HTMLInputElement>(null);
  const { needed, others } = useMemo(
    () => groupDebates(debates, { ...filter, q: query }),
    [debates, filter, query],
  );
  const shown = useMemo(() => [...needed, ...others], [needed, others]);

  // Loaded debates are filtered at once; the server is asked when the typing pauses.
  useEffect(() => {
    if (query === store.get().filter.q) return;
    const timer = setTimeout(() => store.setFilter({ ...store.get().filter, q: query }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [query, store]);

  function openNeighbour(list: readonly Debate[], by: 1 | -1) {
    const index = list.findIndex(({ id }) => id === openId);
    const next = index === -1 ? list.at(by === 1 ? 0 : -1) : list[index + by];
    if (next) navigate(debatePath(next.id));
  }

  function openNextNeeded() {
    const index = needed.findIndex(({ id }) => id === openId);
    const next = needed[(index + 1) % Math.max(1, needed.length)];
    if (next) navigate(debatePath(next.id));
  }

  useShortcuts({
    '/': () => search.current?.focus(),
    j: () => openNeighbour(shown, 1),
    k: () => openNeighbour(shown, -1),
    n: openNextNeeded,
  });

  function onSearchKey(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      if (query === '') search.current?.blur();
      else setQuery('');
    }
    const first = shown[0];
    if (event.key === 'Enter' && first) navigate(debatePath(first.id));
  }

  function clear() {
    setQuery('');
    store.setFilter({ q: '', state: null });
    search.current?.focus();
  }

  const filtered = query.trim() !== '' || filter.state !== null;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex items-center gap-2 px-4 pt-3 pb-2">
        {openId === null ? (
          <h1>
            <Logo />
          </h1>
        ) : (
          <Logo />
        )}
        <div className="ml-auto flex items-center gap-0.5">
          <DocumentLink
            route={DOCUMENT_LIST}
            aria-label={t('documents.all')}
            title={t('documents.all')}
            className="grid size-9 place-items-center rounded-lg text-muted-foreground hover:bg-accent hover:text-foreground"
          >
            <Files aria-hidden className="size-4" />
          </DocumentLink>
          <Suspense fallback={<IconButton disabled icon={Settings2} label={t('settings.label')} />}>
            <SettingsMenu onShowShortcuts={onShowShortcuts} />
          </Suspense>
        </div>
      </div>
      <search className="grid gap-2 px-3 pb-3">
        <div className="relative">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
          />
          <input
            ref={search}
            type="text"
            inputMode="search"
            autoComplete="off"
            spellCheck={false}
            aria-label={t('list.search')}
            placeholder={t('list.search')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={onSearchKey}
            className="h-10 w-full rounded-lg border border-border bg-card pr-9 pl-9 text-sm placeholder:text-muted-foreground focus-visible:outline-offset-0"
          />
          {query === '' ? (
            <kbd
              aria-hidden
              className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 rounded border px-1.5 text-[11px] text-muted-foreground max-md:hidden"
            >
              /
            </kbd>
          ) : (
            <Button
              variant="ghost"
              size="tiny"
              aria-label={t('list.clear')}
              className="absolute top-1/2 right-1.5 -translate-y-1/2"
              onClick={clear}
            >
              <X aria-hidden />
            </Button>
          )}
        </div>
        <div className="relative">
          <ListFilter
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
          />
          <select
            aria-label={t('list.filter')}
            value={filter.state ?? ''}
            onChange={(event) => store.setFilter({ q: query, state: knownState(event.target.value) })}
            className="h-9 w-full appearance-none rounded-lg border border-border bg-card pr-9 pl-9 text-sm text-foreground focus-visible:outline-offset-0"
          >
            <option value="">{t('list.filter.all')}</option>
            {STATES.map((state) => (
              <option key={state} value={state}>
                {t(`state.${state}`)}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted-foreground"
          />
        </div>
      </search>
      <nav
        aria-label={t('list.label')}
        aria-busy={loading}
        className="flex min-h-0 flex-1 flex-col overflow-y-auto px-2 pb-4"
      >
        <Group title={t('list.needed')} debates={needed} openId={openId} showCount />
        <Group title={needed.length > 0 ? t('list.others') : null} debates={others} openId={openId} />
        {!loaded && failure === null && shown.length === 0 && <DebateListSkeleton />}
        {failure !== null && shown.length === 0 && (
          <Notice icon={TriangleAlert} title={t.failure(failure)}>
            <Button size="sm" onClick={() => void store.refresh()}>
              {t('failed.retry')}
            </Button>
          </Notice>
        )}
        {loaded && shown.length === 0 && filtered && (
          <Notice icon={SearchX} title={t('list.nothing')}>
            <p className="text-sm text-muted-foreground">{t('list.nothing.hint')}</p>
            <Button size="sm" onClick={clear}>
              {t('list.clear')}
            </Button>
          </Notice>
        )}
        {loaded && shown.length === 0 && !filtered && (
          <Notice icon={Inbox} title={t('list.empty')}>
            <p className="text-sm text-muted-foreground">{t('list.empty.hint')}</p>
            <code className="rounded-md border bg-card px-2 py-1 font-mono text-xs">aw debate create</code>
          </Notice>
        )}
        {loaded && fetched < total && (
          <Button size="sm" disabled={loading} className="mx-auto mt-3" onClick={() => void store.more()}>
            {t('list.more')}
          </Button>
        )}
      </nav>
    </div>
  );
}

interface GroupProps {
  title: string | null;
  debates: readonly Debate[];
  openId: string | null;
  showCount?: boolean;
}

function Group({ title, debates, openId, showCount = false }: GroupProps) {
  if (debates.length === 0) return null;
  return (
    <section aria-label={title ?? undefined}>
      {title !== null && (
        <h2 className="flex items-center gap-2 px-3 pt-3 pb-1.5 text-xs font-semibold text-muted-foreground">
          {title}
          {showCount && (
            <span className="rounded-full bg-primary px-1.5 text-[11px] leading-4.5 text-primary-foreground tabular-nums">
              {debates.length}
            </span>
          )}
        </h2>
      )}
      <ul className="grid gap-0.5">
        {debates.map((debate) => (
          <DebateRow key={debate.id} debate={debate} open={debate.id === openId} />
        ))}
      </ul>
    </section>
  );
}
