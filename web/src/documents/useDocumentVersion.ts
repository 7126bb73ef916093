import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';

/** One version of a document; null for the newest one at the time of the request. */
export function useDocumentVersion(id: string, version: number | null) {
  return useQuery({
    queryKey: ['document', id, version],
    queryFn: ({ signal }) => api.document(id, version, signal),
    // Versions never change. A newer one is offered by a button, so that the text is not replaced while it is read.
    staleTime: version === null ? 0 : Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}
