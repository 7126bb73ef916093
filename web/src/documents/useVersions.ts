import { useCallback } from 'react';
import { api } from '@/api/client';
import type { DocumentVersionEntry } from '@/api/types';
import { usePages } from '@/api/usePages';

const PAGE = 50;
const keyOf = ({ version }: DocumentVersionEntry) => version;

export type Versions = ReturnType<typeof useVersions>;

/** The versions of a document, newest first, without what they say. */
export function useVersions(id: string) {
  const load = useCallback(
    async (offset: number, signal: AbortSignal) => {
      const { document, versions, total } = await api.versions(id, { limit: PAGE, offset }, signal);
      return { document, items: versions, total };
    },
    [id],
  );
  return usePages(load, keyOf);
}
