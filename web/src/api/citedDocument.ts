import { useEffect, useState } from 'react';
import { ApiError, api } from './client';
import type { DocumentInfo } from './types';

/** What the server said of each document that is cited; null if there is no such document. */
const asked = new Map<string, Promise<DocumentInfo | null>>();

async function fetchDocument(id: string): Promise<DocumentInfo | null> {
  try {
    return (await api.versions(id, { limit: 1 })).document;
  } catch (error) {
    const code = error instanceof ApiError ? error.failure.code : '';
    if (code === 'DOCUMENT_NOT_FOUND' || code === 'INVALID_INPUT') return null;
    throw error;
  }
}

/** The document of a citation; null if there is none with this version, undefined until the server has said so. */
export function useCitedDocument(id: string, version: number | null): DocumentInfo | null | undefined {
  const [found, setFound] = useState<DocumentInfo | null>();
  useEffect(() => {
    let stale = false;
    const answer = asked.get(id) ?? fetchDocument(id);
    asked.set(id, answer);
    answer.then(
      (document) => {
        const cited = version !== 0 && (version ?? 1) <= (document?.latest_version ?? 0) ? document : null;
        // A version that is not there may be made later.
        if (cited === null) asked.delete(id);
        if (!stale) setFound(cited);
      },
      () => asked.delete(id),
    );
    return () => {
      stale = true;
    };
  }, [id, version]);
  return found;
}
