import type { QueryClient } from '@tanstack/react-query';
import { startTransition, useEffect, useState } from 'react';
import type { Debate } from '@/api/types';
import { preview } from '@/debate/longText';
import { useT } from '@/i18n';
import { prepareMarkdown } from '@/markdown/Markdown';
import { markdownScope } from './asked';
import { askedQuery } from './useAsked';

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
