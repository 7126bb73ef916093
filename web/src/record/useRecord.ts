import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';

/** The record as it is at an argument; it is fetched again with the next one. */
export function useRecord(debateId: string, lastSeq: number) {
  return useQuery({
    queryKey: ['record', debateId, lastSeq],
    queryFn: async ({ signal }) => {
      const signed = await api.record(debateId, signal);
      // Asked for before the newest argument was there.
      return signed.record.debate.last_seq < lastSeq ? api.record(debateId, signal) : signed;
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}
