import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';

/** The record as it is at an argument; it is fetched again with the next one. */
export function useRecord(debateId: string, lastSeq: number) {
  return useQuery({
    queryKey: ['record', debateId, lastSeq],
    queryFn: ({ signal }) => api.record(debateId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}
