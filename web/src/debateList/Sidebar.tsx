import { Files, Inbox, Plus, Scale, SearchX, Settings2, TriangleAlert, X } from 'lucide-react';
import { type KeyboardEvent, memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { DEBATE_TYPES, type Debate, type DebateType, STATES, type StateName } from '@/api/types';
import { useT } from '@/i18n';
import { openDocuments, toSearch } from '@/lib/documentRoute';
import { debatePath, inboxPath, NEW_PATH, navigate } from '@/lib/router';
import { useShortcuts } from '@/lib/useShortcuts';
import { Button, IconButton, IconLink } from '@/ui/button';
import { cn } from '@/ui/cn';
import { FaultsLine } from '@/ui/FaultsLine';
import { Select } from '@/ui/fields';
import { LateMenu, MenuButton } from '@/ui/LateMenu';
import { Link } from '@/ui/Link';
import { lazyComponent } from '@/ui/lazyComponent';
import { Notice } from '@/ui/notice';
import { SearchField } from '@/ui/SearchField';
import { DebateListSkeleton } from '@/ui/Skeleton';
import { useMediaQuery } from '@/ui/useMediaQuery';
import { DebateRow, OPEN_ROW } from './DebateRow';
import type { DebateListSnapshot, DebateListStore } from './debateListStore';
import { groupDebates, isFiltered, NO_FILTER } from './debates';
import { hitPath, TextHits, useTextHits } from './TextHits';

const SETTINGS = { icon: Settings2, label: 'settings.label' } as const;
const SettingsMenu = lazyComponent(
  () => import('@/settings/SettingsMenu'),
  () => <MenuButton {...SETTINGS} />,
);

const TYPING_PAUSE_MS = 180;
/** A screen with room for the list beside the page. */
const HAS_LIST = '(min-width: 48rem)';
const FILTER = 'h-9 min-w-0 truncate px-2';
const DOCUMENT_LIST = { kind: 'list' } as const;

interface SidebarProps {
  store: DebateListStore;
  snapshot: DebateListSnapshot;
  openId: string | null;
  /** Whether the page is the form for a new debate. */
  newOpen: boolean;
  /** Whether a phone shows the list rather than the inbox. */
  listOpen: boolean;
  onShowShortcuts: () => void;
}

export const Sidebar = memo(function Sidebar(props: SidebarProps) {
  const { store, snapshot, openId, newOpen, listOpen, onShowShortcuts } = props;
  const t = useT();
  const { debates, due, dueBeyond, filter, listed, loaded, loading, failure, total, fetched, faults } =
    snapshot;
  const inInbox = openId === null && !listOpen && !newOpen;
  const [query, setQuery] = useState(filter.q);
  // What was found was opened: in the inbox, the list has all that wait again.
  const [wasInInbox, setWasInInbox] = useState(inInbox);
  if (wasInInbox !== inInbox) {
    setWasInInbox(inInbox);
    if (inInbox) setQuery('');
  }
  const [opensFirst, setOpensFirst] = useState(false);
  // A phone shows the page first. Rows that nobody sees would keep it waiting.
  const isSeen = useMediaQuery(HAS_LIST) || listOpen;
  const [wasSeen, setWasSeen] = useState(isSeen);
  if (isSeen && !wasSeen) setWasSeen(true);
  const texts = useTextHits(filter.q);
  const search = useRef<HTMLInputElement>(null);
  const { needed, others } = useMemo(
    () => groupDebates(debates, due, listed, isFiltered(filter)),
    [debates, due, listed, filter],
  );
  const shown = useMemo(() => [...needed, ...others], [needed, others]);
  const list = useRef<HTMLElement>(null);
  useOpenInView(list, openId, wasSeen && shown.some(({ id }) => id === openId));

  // The server is asked when the typing pauses.
  useEffect(() => {
    if (query === store.state.get().filter.q) return;
    const timer = setTimeout(
      () => store.setFilter({ ...store.state.get().filter, q: query }),
      TYPING_PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [query, store]);

  function openNeighbour(by: 1 | -1) {
    const index = shown.findIndex(({ id }) => id === openId);
    const next = index === -1 ? shown.at(by === 1 ? 0 : -1) : shown[index + by];
    if (next) navigate(debatePath(next.id));
  }

  function openNextNeeded() {
    // Whatever the filter leaves out of the list.
    const index = due.indexOf(openId ?? '');
    const next = due[(index + 1) % Math.max(1, due.length)];
    if (next !== undefined) navigate(debatePath(next));
  }

  // On the inbox these keys move between its cards.
  const inboxHasKeys = openId === null && due.length > 0;
  useShortcuts({
    '/': () => search.current?.focus(),
    n: openNextNeeded,
    ...(!inboxHasKeys && { j: () => openNeighbour(1), k: () => openNeighbour(-1) }),
  });

  function onSearchKey(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      if (query === '') search.current?.blur();
      else setQuery('');
    }
    if (event.key !== 'Enter') return;
    setOpensFirst(true);
    if (query !== filter.q) store.setFilter({ ...filter, q: query });
  }

  // Enter opens the first that is found, once that is known.
  const known = loaded && query === filter.q;
  const [hit] = texts.hits;
  useEffect(() => {
    const first = shown[0] === undefined ? hit && hitPath(hit) : debatePath(shown[0].id);
    if (!opensFirst || !known || (first === undefined && !texts.loaded)) return;
    setOpensFirst(false);
    if (first !== undefined) navigate(first);
  }, [opensFirst, known, shown, hit, texts.loaded]);

  function clear() {
    setQuery('');
    store.setFilter(NO_FILTER);
    search.current?.focus();
  }

  const Title = openId === null && listOpen ? 'h1' : 'div';
  const filtered = isFiltered({ ...filter, q: query });
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex items-center gap-2 px-4 pt-3 pb-2">
        <Title>
          <Logo />
        </Title>
        <div className="ml-auto flex items-center gap-0.5">
          <IconLink
            icon={Plus}
            label={t('start.title')}
            href={NEW_PATH}
            aria-current={newOpen ? 'page' : undefined}
          />
          <IconLink
            icon={Files}
            label={t('documents.all')}
            href={toSearch(DOCUMENT_LIST)}
            onNavigate={() => openDocuments(DOCUMENT_LIST)}
          />
          <LateMenu {...SETTINGS}>
            <SettingsMenu onShowShortcuts={onShowShortcuts} />
          </LateMenu>
        </div>
      </div>
      <div className="px-2 pb-2">
        <Link
          href={inboxPath()}
          aria-current={inInbox ? 'page' : undefined}
          className={cn(
            'flex h-9 items-center gap-2.5 rounded-xl px-3 text-sm font-medium',
            inInbox ? OPEN_ROW : 'hover:bg-accent',
          )}
        >
          <Inbox aria-hidden className="size-4 text-muted-foreground" />
          {t('inbox.title')}
          {due.length > 0 && (
            <span className="ml-auto rounded-full bg-primary px-1.5 text-[11px] leading-4.5 text-primary-foreground tabular-nums">
              {due.length + dueBeyond}
            </span>
          )}
        </Link>
      </div>
      <search className="grid gap-2 px-3 pb-3">
        <SearchField
          ref={search}
          label={t('list.search')}
          value={query}
          onChange={(event) => {
            setOpensFirst(false);
            setQuery(event.target.value);
          }}
          onKeyDown={onSearchKey}
          className="bg-card"
        >
          {query === '' ? (
            <kbd
              aria-hidden
              className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 rounded border px-1.5 text-[11px] text-muted-foreground max-md:hidden"
            >
              /
            </kbd>
          ) : (
            <IconButton
              size="tiny"
              icon={X}
              label={t('list.clear')}
              className="absolute top-1/2 right-1.5 -translate-y-1/2 max-sm:my-0!"
              onClick={clear}
            />
          )}
        </SearchField>
        <div className="grid grid-cols-2 gap-2">
          <Select<StateName | ''>
            label={t('list.filter')}
            value={filter.state ?? ''}
            choices={[
              ['', t('list.filter.all')],
              ...STATES.map((name) => [name, t.label('state', name)] as const),
            ]}
            onChoose={(state) => store.setFilter({ ...filter, q: query, state: state || null })}
            className={FILTER}
          />
          <Select<DebateType | ''>
            label={t('list.type')}
            value={filter.type ?? ''}
            choices={[
              ['', t('list.type.all')],
              ...DEBATE_TYPES.map((name) => [name, t.label('type', name)] as const),
            ]}
            onChoose={(type) => store.setFilter({ ...filter, q: query, type: type || null })}
            className={FILTER}
          />
        </div>
      </search>
      <nav
        ref={list}
        aria-label={t('list.label')}
        aria-busy={loading}
        className="flex min-h-0 flex-1 flex-col overflow-y-auto px-2 pb-4"
      >
        {wasSeen && (
          <>
            <Group title={t('state.AWAITING_ARBITRATOR')} debates={needed} openId={openId} showCount />
            <Group title={needed.length > 0 ? t('list.others') : null} debates={others} openId={openId} />
          </>
        )}
        <TextHits {...texts} query={filter.q} />
        {!loaded && failure === null && shown.length === 0 && <DebateListSkeleton />}
        {failure !== null && shown.length === 0 && (
          <Notice icon={TriangleAlert} title={t.failure(failure)}>
            <Button size="sm" onClick={() => void store.refresh()}>
              {t('failed.retry')}
            </Button>
          </Notice>
        )}
        {loaded && shown.length === 0 && filtered && texts.hits.length === 0 && (
          <Notice icon={SearchX} title={t('list.nothing')} text={t('list.nothing.hint')}>
            <Button size="sm" onClick={clear}>
              {t('list.clear')}
            </Button>
          </Notice>
        )}
        {loaded && shown.length === 0 && !filtered && (
          <Notice icon={Inbox} title={t('list.empty')} text={t('list.empty.hint')} />
        )}
        {loaded && <FaultsLine count={faults} />}
        {loaded && fetched < total && (
          <Button size="sm" disabled={loading} className="mx-auto mt-3" onClick={() => void store.more()}>
            {t('list.more')}
          </Button>
        )}
      </nav>
    </div>
  );
});

/** Brings the debate that was opened in view. Where its state takes it later is not followed: the person goes on from here. */
function useOpenInView(list: RefObject<HTMLElement | null>, openId: string | null, isListed: boolean): void {
  useEffect(() => {
    if (openId === null || !isListed) return;
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [list, openId, isListed]);
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
      <ul className="grid grid-cols-1 gap-0.5">
        {debates.map((debate) => (
          <DebateRow key={debate.id} debate={debate} open={debate.id === openId} />
        ))}
      </ul>
    </section>
  );
}

function Logo() {
  const t = useT();
  return (
    <Link href="/" className="flex items-center gap-2 rounded-lg py-1 font-semibold tracking-tight">
      <span className="grid size-7 place-items-center rounded-lg bg-primary text-primary-foreground">
        <Scale aria-hidden className="size-4" />
      </span>
      {t('app.name')}
    </Link>
  );
}
