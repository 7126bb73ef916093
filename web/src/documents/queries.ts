import {
  focusManager,
  QueryCache,
  QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError, api } from '@/api/client';
import type { DocumentVersionEntry } from '@/api/types';
import { handleAuthFailure } from '@/auth/access';
import { isJson } from './content';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
  }
}

// Lists are fetched again when the window gets the focus, not only when a hidden tab becomes visible.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus();
  window.addEventListener('focus', listener);
  return () => window.removeEventListener('focus', listener);
});

/** What pages keep of the answers. */
export const pageQueries = new QueryClient({
  defaultOptions: { queries: { retry: false, networkMode: 'always' } },
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof ApiError) handleAuthFailure(error.failure);
    },
  }),
});

/** One version of a document; null for the newest one at the time of the request. */
export const versionQuery = (id: string, version: number | null) =>
  queryOptions({
    queryKey: ['document', id, version],
    queryFn: ({ signal }) => api.document(id, version, signal),
    // Versions never change. A newer one is offered by a button, so that the text is not replaced while it is read.
    staleTime: version === null ? 0 : Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });

export const useDocumentVersion = (id: string, version: number | null) => useQuery(versionQuery(id, version));

const VERSIONS_PAGE = 50;
const keyOf = ({ version }: DocumentVersionEntry) => version;

export type Versions = ReturnType<typeof useVersions>;

/** The versions of a document without their contents, newest first. */
export function useVersions(id: string) {
  return usePagedQuery(
    ['versions', id],
    async (offset, signal) => {
      const { document, versions, total, faults } = await api.versions(
        id,
        { limit: VERSIONS_PAGE, offset },
        signal,
      );
      return { document, items: versions, total, faults: faults?.length ?? 0 };
    },
    keyOf,
  );
}

/** A document in one of its versions, and the list of them. */
export function useDocument(id: string, version: number | null) {
  const versions = useVersions(id);
  const query = useDocumentVersion(id, version);
  const shown = query.data?.version ?? null;
  const info = versions.firstPage?.document ?? query.data?.document ?? null;
  const usualForm = useMemo(() => (shown !== null && isJson(shown.content) ? 'raw' : 'rendered'), [shown]);
  return { id, versions, query, shown, info, usualForm } as const;
}

interface Page<T> {
  items: readonly T[];
  total: number;
  /** How many items were left out, as the server cannot read them. */
  faults: number;
}

export type PagedQuery = ReturnType<typeof usePagedQuery>;

/** A list that is fetched page by page. `keyOf` tells items apart: a page may repeat some if new ones came before it. */
export function usePagedQuery<T, P extends Page<T>>(
  queryKey: readonly unknown[],
  fetchPage: (offset: number, signal: AbortSignal) => Promise<P>,
  keyOf: (item: T) => string | number,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (_, pages) => pages.reduce((count, page) => count + page.items.length, 0),
  });
  const pages = query.data?.pages;
  const items = useMemo(() => {
    const all = pages?.flatMap((page) => page.items) ?? [];
    return [...new Map(all.map((item) => [keyOf(item), item])).values()];
  }, [pages, keyOf]);
  return {
    /** Null until it has arrived. */
    firstPage: pages?.[0] ?? null,
    items,
    total: pages?.at(-1)?.total ?? 0,
    faults: pages?.reduce((count, page) => count + page.faults, 0) ?? 0,
    isFetching: query.isFetching,
    error: query.error,
    fetchMore: () => void query.fetchNextPage(),
    refetch: () => void query.refetch(),
  };
}
