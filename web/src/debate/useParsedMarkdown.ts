import { startTransition, useEffect, useState } from 'react';
import { useT } from '@/i18n';
import { prepareMarkdown } from '@/markdown/Markdown';
import type { DebateView } from './debateView';
import { isLong, preview } from './longText';

/** What fits on a tall screen, before and after the argument that is shown first. */
const BEFORE = 2;
const AFTER = 8;
/** Then the thread is shown all the same. */
const TIMEOUT_MS = 500;

/** Whether the markdown that is shown first is parsed, so that nothing moves when it is shown. */
export function useParsedMarkdown(view: DebateView, seq: number | null): boolean {
  const t = useT();
  const [ready, setReady] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what comes later is parsed when it is shown
  useEffect(() => {
    const { items } = view;
    const found = seq === null ? -1 : items.findIndex((item) => item.seq === seq);
    const shown = found < 0 ? items.slice(-AFTER) : items.slice(Math.max(0, found - BEFORE), found + AFTER);
    const texts = shown.map((item) => ({
      text: isLong(item.content) && item.id !== view.last.id ? preview(item.content) : item.content,
      scope: `a${item.seq}`,
    }));
    const timer = setTimeout(() => setReady(true), TIMEOUT_MS);
    void prepareMarkdown(texts, t('argument.footnotes')).then(() =>
      // A transition, so that rendering does not block the page.
      startTransition(() => setReady(true)),
    );
    return () => clearTimeout(timer);
  }, []);
  return ready;
}
