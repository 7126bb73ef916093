import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '@/api/client';
import type { Debate, Issue } from '@/api/types';
import { countAll } from './ledger';

const NO_ISSUES: Issue[] = [];

/** A debate, and the `seq` of the newest argument that may have changed its issues. */
export interface LedgerSource {
  debate: Pick<Debate, 'id' | 'issue_counts' | 'ruling_request'>;
  issuesChangedSeq: number;
}

export type Ledger = ReturnType<typeof useLedger>;

/** Fetched again when an issue has changed, or what asks for a ruling, on which it depends what a ruling may make of them. */
export function ledgerQuery({ debate, issuesChangedSeq }: LedgerSource) {
  const { id, issue_counts, ruling_request } = debate;
  return queryOptions({
    // Until the WebSocket is connected, what was settled is known by the counts only.
    queryKey: ['ledger', id, issuesChangedSeq, issue_counts, ruling_request?.seq ?? null],
    queryFn: ({ signal }) => api.ledger(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    initialData: countAll(issue_counts) === 0 ? NO_ISSUES : undefined,
    placeholderData: keepPreviousData,
  });
}

/** All issues of a debate with their histories and what may become of them; fetched only where they are shown. */
export function useLedger(source: LedgerSource, shown = true) {
  const { data, isError, refetch } = useQuery({ ...ledgerQuery(source), enabled: shown });
  // What a person works with stays while newer issues are fetched, and where they cannot be.
  const former = useRef(data);
  if (data !== undefined) former.current = data;
  return { data: data ?? former.current, isError, refetch };
}
