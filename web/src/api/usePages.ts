import { useCallback, useEffect, useRef, useState } from 'react';
import { noteFailure } from '@/shell/access';
import { ApiError } from './client';
import type { Failure } from './types';

interface Page<T> {
  items: readonly T[];
  total: number;
}

interface Pages<T, P extends Page<T>> {
  /** The newest first page; null before it is there. */
  first: P | null;
  items: readonly T[];
  total: number;
  loading: boolean;
  failure: Failure | null;
  more: () => void;
  reload: () => void;
}

const EMPTY = { first: null, items: [], total: 0, loading: true, failure: null };

/** A list that is fetched page by page, and whose beginning is fetched anew when the person comes back to the window. */
export function usePages<T, P extends Page<T>>(
  load: (offset: number, signal: AbortSignal) => Promise<P>,
  keyOf: (item: T) => string | number,
): Pages<T, P> {
  const [state, setState] = useState<Omit<Pages<T, P>, 'more' | 'reload'>>(EMPTY);
  const abort = useRef<AbortController | null>(null);
  const fetched = useRef(0);

  const fetchPage = useCallback(
    async (offset: number) => {
      abort.current?.abort();
      abort.current = new AbortController();
      const { signal } = abort.current;
      setState((had) => ({ ...had, loading: true, failure: null }));
      try {
        const page = await load(offset, signal);
        if (signal.aborted) return;
        // What came meanwhile moved the rest back: a page may hold again what an earlier one had.
        const fresh = new Set(page.items.map(keyOf));
        const onlyPage = fetched.current <= page.items.length;
        fetched.current = Math.max(fetched.current, offset + page.items.length);
        setState((had) => {
          const others = had.items.filter((item) => !fresh.has(keyOf(item)));
          const items =
            offset > 0 ? [...others, ...page.items] : onlyPage ? page.items : [...page.items, ...others];
          return {
            first: offset === 0 ? page : had.first,
            items,
            total: page.total,
            loading: false,
            failure: null,
          };
        });
      } catch (error) {
        if (signal.aborted || !(error instanceof ApiError)) return;
        noteFailure(error.failure);
        setState((had) => ({ ...had, loading: false, failure: error.failure }));
      }
    },
    [load, keyOf],
  );

  const reload = useCallback(() => void fetchPage(0), [fetchPage]);
  useEffect(() => {
    fetched.current = 0;
    setState(EMPTY);
    reload();
    window.addEventListener('focus', reload);
    return () => {
      window.removeEventListener('focus', reload);
      abort.current?.abort();
    };
  }, [reload]);

  const more = useCallback(() => void fetchPage(fetched.current), [fetchPage]);
  return { ...state, more, reload };
}
