import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Entry } from './waitingTimes';

/** What the page has loaded of a debate. */
export interface Loaded {
  debateId: string;
  lastSeq: number;
  items: readonly Entry[];
  /** Whether all arguments are loaded. */
  complete: boolean;
}

/** All arguments of a debate without their texts, which the record has if not all are loaded; null until they are there. */
export function useAllEntries({ debateId, lastSeq, items, complete }: Loaded): readonly Entry[] | null {
  const { data } = useQuery({
    queryKey: ['entries', debateId, lastSeq],
    queryFn: async ({ signal }) => (await api.record(debateId, signal)).record.arguments,
    enabled: !complete,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  return complete ? items : (data ?? null);
}
