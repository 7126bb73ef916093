import { startTransition, useEffect, useState } from 'react';
import type { BlockComparison } from './blocks';
import type { Comparison } from './compare';
import type { ComparisonRequest } from './compareWorker';
import type { Step, Trace } from './lineOrigins';

/** The answer of the worker; undefined until it has come, and where nothing is asked. */
function useWorker<T>(request: unknown, failed: T): T | undefined {
  const [answer, setAnswer] = useState<{ request: unknown; value: T } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what to say of a failure does not change
  useEffect(() => {
    if (request === null) return;
    const worker = new Worker(new URL('./compareWorker.ts', import.meta.url));
    // What it leads to may be long: it is rendered in pieces that do not block the page.
    const show = (value: T) => startTransition(() => setAnswer({ request, value }));
    worker.onmessage = ({ data }: MessageEvent<T>) => show(data);
    worker.onerror = () => show(failed);
    worker.postMessage(request);
    return () => worker.terminate();
  }, [request]);
  return answer !== null && answer.request === request ? answer.value : undefined;
}

const TOO_LARGE = { kind: 'tooLarge' } as const;

/** Compares two texts by lines, or by blocks of markdown. The request has to stay the same object. */
export function useComparison(request: ComparisonRequest | null): Comparison | BlockComparison | undefined {
  return useWorker<Comparison | BlockComparison>(request, TOO_LARGE);
}

/** Which version made which change; null if that is not known. */
export function useTrace(request: { steps: readonly Step[] } | null): Trace | null {
  return useWorker<Trace | null>(request, null) ?? null;
}
