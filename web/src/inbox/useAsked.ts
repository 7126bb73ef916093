import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Debate, Issue } from '@/api/types';
import { ASKED_LIMIT, type Asked, askedIn } from './asked';

export interface AskedResult {
  /** Null until it has arrived. */
  asked: Asked | null;
  /** The issues that are not settled. */
  issues: readonly Issue[];
  failed: boolean;
  retry: () => void;
}

const NO_ISSUES: readonly Issue[] = [];

/** How what a debate asks is fetched, with the issues that are not settled. */
export function askedQuery(debate: Debate) {
  return queryOptions({
    queryKey: ['asked', debate.id, debate.last_seq],
    queryFn: async ({ signal }) => {
      const fetchContext = () => api.debate(debate.id, { limit: ASKED_LIMIT }, signal);
      let context = await fetchContext();
      // Asked for before the newest argument was there.
      if (context.debate.last_seq < debate.last_seq) context = await fetchContext();
      return { asked: askedIn(context), issues: context.issues };
    },
    // Arguments never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What a debate asks; fetched again when it has a new argument. */
export function useAsked(debate: Debate): AskedResult {
  const { data, isError, refetch } = useQuery({ ...askedQuery(debate), placeholderData: keepPreviousData });
  return {
    asked: data?.asked ?? null,
    issues: data?.issues ?? NO_ISSUES,
    failed: isError,
    retry: () => void refetch(),
  };
}
