import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ApiError } from '@/api/client';

interface Page<T> {
  items: readonly T[];
  total: number;
}

export interface PagedQuery<T, P extends Page<T> = Page<T>> {
  /** Null until it has arrived. */
  firstPage: P | null;
  items: readonly T[];
  total: number;
  isFetching: boolean;
  error: ApiError | null;
  fetchMore: () => void;
  refetch: () => void;
}

/** A list that is fetched page by page. `keyOf` tells items apart: a page may repeat some if new ones came before it. */
export function usePagedQuery<T, P extends Page<T>>(
  queryKey: readonly unknown[],
  fetchPage: (offset: number, signal: AbortSignal) => Promise<P>,
  keyOf: (item: T) => string | number,
): PagedQuery<T, P> {
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
    firstPage: pages?.[0] ?? null,
    items,
    total: pages?.at(-1)?.total ?? 0,
    isFetching: query.isFetching,
    error: query.error,
    fetchMore: () => void query.fetchNextPage(),
    refetch: () => void query.refetch(),
  };
}
