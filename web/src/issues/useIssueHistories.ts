import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '@/api/client';
import type { Issue, IssueHistoryEntry } from '@/api/types';

export interface Histories {
  /** All issues with their histories; null until they have arrived. */
  issues: readonly Issue[] | null;
  /** Undefined until it has arrived. */
  of(id: string): readonly IssueHistoryEntry[] | undefined;
  failed: boolean;
  retry: () => void;
}

/** The histories of all issues. They are fetched again when an argument has changed issues. */
export function useIssueHistories(debateId: string, issues: readonly Issue[]): Histories {
  const newestChange = issues.reduce((newest, { changed_seq }) => Math.max(newest, changed_seq), 0);
  const { data, isError, refetch } = useQuery({
    queryKey: ['issueHistories', debateId, newestChange],
    queryFn: ({ signal }) => api.issueHistories(debateId, signal),
    enabled: newestChange > 0,
    // Until the next change they stay the same.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    const byId = new Map(data?.map(({ id, history }) => [id, history]));
    return {
      issues: data ?? null,
      of: (id) => byId.get(id),
      failed: isError,
      retry: () => void refetch(),
    };
  }, [data, isError, refetch]);
}
