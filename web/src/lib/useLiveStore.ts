import { useEffect, useState, useSyncExternalStore } from 'react';

interface LiveStore<T> {
  subscribe(listener: () => void): () => void;
  get(): T;
  start(): unknown;
  stop(): void;
}

const subscribeToNothing = () => () => undefined;

/** Creates and starts a store when the component mounts, and stops it on unmount; null before that, and without `create`. */
export function useLiveStore<T, S extends LiveStore<T>>(
  create: (() => S) | null,
): { store: S; snapshot: T } | null {
  const [store, setStore] = useState<S | null>(null);
  useEffect(() => {
    if (create === null) return;
    const created = create();
    setStore(created);
    void created.start();
    return () => created.stop();
  }, [create]);
  const snapshot = useSyncExternalStore(
    store?.subscribe ?? subscribeToNothing,
    () => store?.get() ?? null,
    () => null,
  );
  return store === null || snapshot === null ? null : { store, snapshot };
}
