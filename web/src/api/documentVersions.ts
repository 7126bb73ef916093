import { useEffect, useState } from 'react';
import { ApiError, api } from './client';

/** Per document, its newest version when it was asked for; null if there is no such document. */
const asked = new Map<string, Promise<number | null>>();

async function newestVersion(id: string): Promise<number | null> {
  try {
    return (await api.versions(id, { limit: 1 })).document.latest_version;
  } catch (error) {
    const code = error instanceof ApiError ? error.failure.code : '';
    if (code === 'DOCUMENT_NOT_FOUND' || code === 'INVALID_INPUT') return null;
    throw error;
  }
}

/** Whether the server has a version of a document; null until it has said so. Each document is asked for once. */
export function useVersionExists(id: string, version: number | null, ask: boolean): boolean | null {
  const [exists, setExists] = useState<boolean | null>(null);
  useEffect(() => {
    if (!ask) return;
    let stale = false;
    const answer = asked.get(id) ?? newestVersion(id);
    asked.set(id, answer);
    answer.then(
      (newest) => {
        const found = newest !== null && version !== 0 && (version ?? 1) <= newest;
        // A version that is not there may be made later.
        if (!found) asked.delete(id);
        if (!stale) setExists(found);
      },
      () => asked.delete(id),
    );
    return () => {
      stale = true;
    };
  }, [id, version, ask]);
  return exists;
}
