import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '@/api/client';
import type { Argument } from '@/api/types';
import type { Versions } from '@/documents/queries';

/** What is loaded of the debate: consecutive arguments, and the newest one. */
export interface Loaded {
  debateId: string;
  items: readonly Argument[];
  last: Argument;
}

/** When the newest ruling was made; null if there is none, undefined until it is known. */
export function useRuledAt({ debateId, items, last }: Loaded): string | null | undefined {
  const atEnd = items.at(-1)?.seq === last.seq;
  const loaded = atEnd ? items.findLast(({ type }) => type === 'RULING') : undefined;
  const known = loaded !== undefined || (atEnd && (items[0]?.seq ?? 1) <= 1);
  const { data, isPending } = useQuery({
    queryKey: ['rulings', debateId, last.seq],
    queryFn: ({ signal }) => api.rulings(debateId, signal),
    enabled: !known,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (known) return loaded?.created_at ?? null;
  return isPending ? undefined : (data?.at(-1)?.created_at ?? null);
}

/** The newest version that there was at a time; null if there was none. Versions are given newest first. */
export function versionAt(
  versions: readonly { version: number; created_at: string }[],
  time: string,
): number | null {
  const at = Date.parse(time);
  return versions.find(({ created_at }) => Date.parse(created_at) <= at)?.version ?? null;
}

/** The newest version at the time of the last ruling; null if there was none, undefined until it is known. */
export function useVersionAt(versions: Versions, ruledAt: string | null): number | null | undefined {
  const { items, total, firstPage, isFetching, fetchMore } = versions;
  const found = ruledAt === null ? null : versionAt(items, ruledAt);
  // It may be on a later page.
  const searching = ruledAt !== null && found === null && items.length < total;
  useEffect(() => {
    if (searching && !isFetching) fetchMore();
  }, [searching, isFetching, fetchMore]);
  return firstPage === null || searching ? undefined : found;
}
