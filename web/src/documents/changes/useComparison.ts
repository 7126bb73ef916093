import { useEffect, useState } from 'react';
import type { Comparison } from './compare';

/** Compares two texts in a worker; null until it is done. */
export function useComparison(before: string, after: string): Comparison | null {
  const [comparison, setComparison] = useState<Comparison | null>(null);
  useEffect(() => {
    setComparison(null);
    const worker = new Worker(new URL('./compareWorker.ts', import.meta.url));
    worker.onmessage = ({ data }: MessageEvent<Comparison>) => setComparison(data);
    worker.onerror = () => setComparison({ kind: 'tooLarge' });
    worker.postMessage({ before, after });
    return () => worker.terminate();
  }, [before, after]);
  return comparison;
}
