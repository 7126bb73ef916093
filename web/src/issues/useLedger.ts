import { useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Debate, Issue } from '@/api/types';
import { countAll } from './ledger';

const NO_ISSUES: Issue[] = [];

export type Ledger = ReturnType<typeof useLedger>;

/** All issues of a debate with their histories and what may become of them, fetched again with each new argument. */
export function useLedger({ id, last_seq, issue_counts }: Debate) {
  const none = countAll(issue_counts) === 0;
  return useQuery({
    queryKey: ['ledger', id, last_seq],
    queryFn: ({ signal }) => api.ledger(id, signal),
    enabled: !none,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (former) => former ?? (none ? NO_ISSUES : undefined),
  });
}
