import { useCallback, useEffect, useState } from 'react';
import { noteFailure } from '@/shell/access';
import { ApiError } from './client';
import type { Failure } from './types';

export type Loaded<T> =
  | { name: 'loading' }
  | { name: 'failed'; failure: Failure }
  | { name: 'ready'; value: T };

const LOADING = { name: 'loading' } as const;

/** What a request answers; a new function is another request, `reload` the same one again. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): [Loaded<T>, () => void] {
  const [attempt, setAttempt] = useState(0);
  const [answer, setAnswer] = useState<{ to: typeof load; loaded: Loaded<T> } | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    const abort = new AbortController();
    load(abort.signal).then(
      (value) => setAnswer({ to: load, loaded: { name: 'ready', value } }),
      (error: unknown) => {
        if (abort.signal.aborted || !(error instanceof ApiError)) return;
        noteFailure(error.failure);
        setAnswer({ to: load, loaded: { name: 'failed', failure: error.failure } });
      },
    );
    return () => abort.abort();
  }, [load, attempt]);

  const reload = useCallback(() => {
    setAnswer((had) => (had?.loaded.name === 'failed' ? null : had));
    setAttempt((count) => count + 1);
  }, []);
  return [answer?.to === load ? answer.loaded : LOADING, reload];
}
