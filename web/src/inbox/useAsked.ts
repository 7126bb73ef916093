import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { startTransition, useEffect, useState } from 'react';
import { api } from '@/api/client';
import type { Debate, Issue } from '@/api/types';
import { preview } from '@/debate/longText';
import { useT } from '@/i18n';
import { prepareMarkdown } from '@/markdown/Markdown';
import { ASKED_LIMIT, type Asked, askedIn, markdownScope } from './asked';

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

/** What fits on a tall screen. */
const FIRST = 3;
/** Then the cards are shown all the same. */
const TIMEOUT_MS = 1000;

/** Whether what the first cards ask has arrived and is parsed, so that nothing moves when they are shown. */
export function usePreparedCards(client: QueryClient, cards: readonly Debate[], loaded: boolean): boolean {
  const t = useT();
  const [ready, setReady] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what comes later is fetched when it is shown
  useEffect(() => {
    if (!loaded || ready) return;
    const timer = setTimeout(() => setReady(true), TIMEOUT_MS);
    void prepare(client, cards.slice(0, FIRST), t('argument.footnotes')).finally(() =>
      // A transition, so that rendering does not block the page.
      startTransition(() => setReady(true)),
    );
    return () => clearTimeout(timer);
  }, [loaded]);
  return ready;
}

async function prepare(client: QueryClient, cards: readonly Debate[], footnotes: string): Promise<void> {
  const answers = await Promise.allSettled(cards.map((debate) => client.fetchQuery(askedQuery(debate))));
  const texts = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? answer.value.asked.argument : [],
  );
  await prepareMarkdown(
    texts.map((argument) => ({ text: preview(argument.content), scope: markdownScope(argument) })),
    footnotes,
  );
}
