import { useQuery } from '@tanstack/react-query';
import { Files, SearchX, X } from 'lucide-react';
import { useState } from 'react';
import { api } from '@/api/client';
import type { Debate, ListedDocument } from '@/api/types';
import { useT } from '@/i18n';
import { closeDocuments, documentRoute, openDocuments, toSearch } from '@/lib/documentRoute';
import { debateIdIn } from '@/lib/router';
import { useDebounced } from '@/lib/useDebounced';
import { Button, IconButton } from '@/ui/button';
import { byteLabel } from '@/ui/byteSize';
import { DrawerTitle } from '@/ui/drawer';
import { FaultsLine } from '@/ui/FaultsLine';
import { InlineText } from '@/ui/InlineText';
import { Link } from '@/ui/Link';
import { Notice } from '@/ui/notice';
import { SearchField } from '@/ui/SearchField';
import { TextSkeleton } from '@/ui/Skeleton';
import { Time } from '@/ui/Time';
import { LoadingFailed } from './DocumentError';
import { MoreButton } from './MoreButton';
import { usePagedQuery } from './queries';
import { ScrollRegion } from './ScrollRegion';

const PAGE = 50;
const TYPING_PAUSE_MS = 180;
/** The documents of so many debates are shown at once. */
const OPEN = 3;
const keyOf = ({ id }: ListedDocument) => id;

/** All documents, the last changed first. */
export function DocumentListScreen() {
  const t = useT();
  const [query, setQuery] = useState('');
  const search = useDebounced(query.trim(), query.trim() === '' ? 0 : TYPING_PAUSE_MS);
  const list = usePagedQuery(
    ['documents', search],
    async (offset, signal) => {
      const page = { limit: PAGE, offset, ...(search && { q: search }) };
      const { documents, total, faults } = await api.documents(page, signal);
      return { items: documents, total, faults: faults?.length ?? 0 };
    },
    keyOf,
  );

  function body() {
    if (list.error !== null && list.items.length === 0) return <LoadingFailed query={list} />;
    if (list.firstPage === null) return <TextSkeleton />;
    if (list.items.length === 0) {
      return search === '' ? (
        <Notice heading="h3" icon={Files} title={t('documents.empty')} text={t('documents.empty.text')}>
          <code className="rounded-md border bg-card px-2 py-1 font-mono text-xs">aw docs create</code>
        </Notice>
      ) : (
        <Notice heading="h3" icon={SearchX} title={t('list.nothing')} text={t('documents.nothing')}>
          <Button size="sm" onClick={() => setQuery('')}>
            {t('list.clear')}
          </Button>
        </Notice>
      );
    }
    return (
      <div className="mx-auto w-full max-w-[50rem] px-2 py-3 sm:px-6">
        {search === '' && <DebatesWithDocuments />}
        <ul className="grid gap-0.5">
          {list.items.map((document) => (
            <Row key={document.id} document={document} />
          ))}
        </ul>
        <FaultsLine count={list.faults} />
        <MoreButton query={list} />
      </div>
    );
  }

  return (
    <>
      <header className="border-b bg-card px-3 pt-2.5 pb-3 sm:px-5">
        <div className="flex items-start gap-2">
          <DrawerTitle className="flex-1 py-1.5 text-[17px] leading-snug font-semibold tracking-tight">
            {t('documents.all')}
          </DrawerTitle>
          <IconButton icon={X} label={t('dialog.close')} onClick={closeDocuments} />
        </div>
        <search className="mt-1 block">
          <SearchField
            label={t('documents.search')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className="bg-background"
          />
        </search>
      </header>
      <ScrollRegion label={t('documents.all')} contentKey={search} busy={list.isFetching}>
        {body()}
      </ScrollRegion>
    </>
  );
}

/** The newest debates that have a plan, each with the documents that it cites. That of the page is open. */
function DebatesWithDocuments() {
  const t = useT();
  const { data } = useQuery({
    queryKey: ['debates'],
    queryFn: ({ signal }) => api.debates({ limit: PAGE }, signal),
  });
  const shown = debateIdIn(location.pathname);
  const debates = (data?.debates ?? []).filter(({ plan }) => plan !== null);
  if (debates.length === 0) return null;
  return (
    <>
      <h3 className={HEADING}>{t('documents.byDebate')}</h3>
      {debates.map((debate, index) => (
        <DebateDocuments key={debate.id} debate={debate} shown={index < OPEN || debate.id === shown} />
      ))}
      <h3 className={HEADING}>{t('documents.every')}</h3>
    </>
  );
}

const HEADING = 'px-3 pt-3 pb-1 text-xs font-semibold text-muted-foreground';

function DebateDocuments({ debate, shown }: { debate: Debate; shown: boolean }) {
  const [open, setOpen] = useState(shown);
  const { data } = useQuery({
    queryKey: ['documents', 'of', debate.id, debate.last_seq],
    queryFn: ({ signal }) => api.documents({ debate_id: debate.id, limit: PAGE }, signal),
    enabled: open,
  });
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-documents-of={debate.id}
    >
      <summary
        dir="auto"
        className="cursor-pointer rounded-xl px-3 py-2 text-sm wrap-anywhere hover:bg-accent"
      >
        {debate.title}
      </summary>
      <ul className="mb-1 ml-4 grid gap-0.5 border-l pl-1">
        {data?.documents.map((document) => (
          <Row key={document.id} document={document} />
        ))}
      </ul>
    </details>
  );
}

function Row({ document }: { document: ListedDocument }) {
  const t = useT();
  const { id, title, summary, latest_version, content_bytes, updated_at } = document;
  return (
    <li>
      <Link
        href={toSearch(documentRoute(id))}
        onNavigate={() => openDocuments(documentRoute(id))}
        data-document={id}
        className="block rounded-xl px-3 py-2.5 hover:bg-accent focus-visible:outline-offset-[-2px]"
      >
        <span
          dir="auto"
          className="line-clamp-2 text-sm leading-snug font-medium [unicode-bidi:isolate] wrap-anywhere"
        >
          <InlineText text={title.trim() || t('documents.untitled')} />
        </span>
        <span className="mt-1 flex items-center gap-3 text-xs text-muted-foreground tabular-nums">
          <code className="font-mono">{id.slice(0, 8)}</code>
          <span>v{latest_version}</span>
          {content_bytes !== undefined && <span className="shrink-0">{byteLabel(content_bytes)}</span>}
          {latest_version > 1 && (
            <span dir="auto" className="min-w-0 truncate">
              <InlineText text={summary} />
            </span>
          )}
          <Time at={updated_at} className="ml-auto shrink-0" />
        </span>
      </Link>
    </li>
  );
}
