import { useEffect } from 'react';
import type { Versions } from '@/documents/queries';

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
