import { Files, Search, SearchX, TriangleAlert, X } from 'lucide-react';
import { useCallback, useState } from 'react';
import { api } from '@/api/client';
import type { DocumentHead } from '@/api/types';
import { usePages } from '@/api/usePages';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { DrawerTitle } from '@/ui/drawer';
import { IconButton } from '@/ui/iconButton';
import { Notice } from '@/ui/notice';
import { DocumentLink } from './DocumentLink';
import { MoreButton } from './MoreButton';
import { close, documentPlace } from './place';
import { Region } from './Region';
import { TextSkeleton } from './TextSkeleton';
import { shortId } from './text';
import { usePaused } from './usePaused';

const PAGE = 50;
const TYPING_PAUSE_MS = 180;
const keyOf = ({ id }: DocumentHead) => id;

/** All documents, the one changed last first, for whoever has no citation to follow. */
export function ListScreen() {
  const t = useT();
  const [query, setQuery] = useState('');
  const wanted = usePaused(query.trim(), TYPING_PAUSE_MS);
  const load = useCallback(
    async (offset: number, signal: AbortSignal) => {
      const page = { limit: PAGE, offset, ...(wanted && { q: wanted }) };
      const { documents, total } = await api.documents(page, signal);
      return { items: documents, total };
    },
    [wanted],
  );
  const pages = usePages(load, keyOf);

  function body() {
    if (pages.failure !== null && pages.items.length === 0) {
      return (
        <Notice heading="h3" icon={TriangleAlert} title={t('documents.failed')}>
          <p className="text-sm text-muted">{t.failure(pages.failure)}</p>
          <Button onClick={pages.reload}>{t('failed.retry')}</Button>
        </Notice>
      );
    }
    if (pages.first === null) return <TextSkeleton />;
    if (pages.items.length === 0) {
      return wanted === '' ? (
        <Notice heading="h3" icon={Files} title={t('documents.empty')}>
          <p className="text-sm text-muted">{t('documents.empty.text')}</p>
          <code className="rounded-md border bg-surface px-2 py-1 font-mono text-xs">aw docs create</code>
        </Notice>
      ) : (
        <Notice heading="h3" icon={SearchX} title={t('list.nothing')}>
          <p className="text-sm text-muted">{t('documents.nothing')}</p>
          <Button size="sm" onClick={() => setQuery('')}>
            {t('list.clear')}
          </Button>
        </Notice>
      );
    }
    return (
      <div className="mx-auto w-full max-w-[50rem] px-2 py-3 sm:px-6">
        <ul className="grid gap-0.5">
          {pages.items.map((document) => (
            <Row key={document.id} document={document} />
          ))}
        </ul>
        <MoreButton pages={pages} />
      </div>
    );
  }

  return (
    <>
      <header className="border-b bg-surface px-3 pt-2.5 pb-3 sm:px-5">
        <div className="flex items-start gap-2">
          <DrawerTitle className="flex-1 py-1.5 text-[17px] leading-snug font-semibold tracking-tight">
            {t('documents.all')}
          </DrawerTitle>
          <IconButton icon={X} label={t('dialog.close')} onClick={close} />
        </div>
        <search className="relative mt-1 block">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
          />
          <input
            type="text"
            inputMode="search"
            autoComplete="off"
            spellCheck={false}
            aria-label={t('documents.search')}
            placeholder={t('documents.search')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className="h-10 w-full rounded-lg border border-line bg-page pr-3 pl-9 text-sm placeholder:text-muted focus-visible:outline-offset-0"
          />
        </search>
      </header>
      <Region label={t('documents.all')} scope={wanted} busy={pages.loading}>
        {body()}
      </Region>
    </>
  );
}

function Row({ document }: { document: DocumentHead }) {
  const t = useT();
  const { id, summary, latest_version, updated_at } = document;
  return (
    <li>
      <DocumentLink
        place={documentPlace(id)}
        data-document={id}
        className="block rounded-xl px-3 py-2.5 hover:bg-hover focus-visible:outline-offset-[-2px]"
      >
        <span
          dir="auto"
          className="line-clamp-2 text-sm leading-snug font-medium [unicode-bidi:isolate] wrap-anywhere"
        >
          {summary.trim() || t('documents.untitled')}
        </span>
        <span className="mt-1 flex items-center gap-3 text-xs text-muted tabular-nums">
          <code className="font-mono">{shortId(id)}</code>
          <span>v{latest_version}</span>
          <time dateTime={updated_at} title={t.moment(updated_at)} className="ml-auto">
            {t.time(updated_at)}
          </time>
        </span>
      </DocumentLink>
    </li>
  );
}
