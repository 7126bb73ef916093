import { Files, SearchX, X } from 'lucide-react';
import { useState } from 'react';
import { api } from '@/api/client';
import type { ListedDocument } from '@/api/types';
import { useT } from '@/i18n';
import { closeDocuments } from '@/lib/documentRoute';
import { useDebounced } from '@/lib/useDebounced';
import { Button, IconButton } from '@/ui/button';
import { DrawerTitle } from '@/ui/drawer';
import { FaultsLine } from '@/ui/FaultsLine';
import { Notice } from '@/ui/notice';
import { SearchField } from '@/ui/SearchField';
import { TextSkeleton } from '@/ui/Skeleton';
import { LoadingFailed } from './DocumentError';
import { DocumentRow } from './DocumentRow';
import { MoreButton } from './MoreButton';
import { usePagedQuery } from './queries';
import { ScrollRegion } from './ScrollRegion';

const PAGE = 50;
const TYPING_PAUSE_MS = 180;
const keyOf = ({ id }: ListedDocument) => id;

/** All documents, the last changed first. A plan has the title of its debate. */
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
        <ul className="grid grid-cols-1 gap-0.5">
          {list.items.map((document) => (
            <DocumentRow key={document.id} document={document} />
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
