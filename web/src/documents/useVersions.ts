import { api } from '@/api/client';
import type { DocumentVersionEntry } from '@/api/types';
import { usePagedQuery } from './usePagedQuery';

export const VERSIONS_PAGE = 50;
const keyOf = ({ version }: DocumentVersionEntry) => version;

export type Versions = ReturnType<typeof useVersions>;

/** The versions of a document without their contents, newest first. */
export function useVersions(id: string) {
  return usePagedQuery(
    ['versions', id],
    async (offset, signal) => {
      const { document, versions, total } = await api.versions(id, { limit: VERSIONS_PAGE, offset }, signal);
      return { document, items: versions, total };
    },
    keyOf,
  );
}
