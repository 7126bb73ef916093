import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Issue } from '@/api/types';

export type Histories = ReturnType<typeof useIssueHistories>;

/** All issues of a debate with their histories, fetched again when an argument has changed issues. */
export function useIssueHistories(debateId: string, issues: readonly Issue[]) {
  const newestChange = issues.reduce((newest, { changed_seq }) => Math.max(newest, changed_seq), 0);
  return useQuery({
    queryKey: ['issueHistories', debateId, newestChange],
    queryFn: ({ signal }) => api.issueHistories(debateId, signal),
    enabled: newestChange > 0,
    // Until the next change they stay the same.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}
