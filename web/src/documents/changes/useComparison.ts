import { useEffect, useState } from 'react';
import type { Comparison } from './compare';

/** Compares beside the page; null while it is under way. */
export function useComparison(before: string, after: string): Comparison | null {
  const [comparison, setComparison] = useState<Comparison | null>(null);
  useEffect(() => {
    setComparison(null);
    const worker = new Worker(new URL('./worker.ts', import.meta.url));
    worker.onmessage = ({ data }: MessageEvent<Comparison>) => setComparison(data);
    worker.onerror = () => setComparison({ kind: 'tooMuch' });
    worker.postMessage({ before, after });
    return () => worker.terminate();
  }, [before, after]);
  return comparison;
}
