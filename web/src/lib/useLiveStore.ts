import { useEffect, useState } from 'react';
import { createStore, type Store, useStore } from './store';

/** A value that is kept live from its start until it is stopped. */
export abstract class LiveStore<T> {
  readonly state: Store<T>;
  /** Aborted once it is stopped. */
  protected readonly lifetime = new AbortController();

  constructor(initial: T) {
    this.state = createStore(initial);
  }

  abstract start(): unknown;

  stop(): void {
    this.lifetime.abort();
  }

  protected get snapshot(): T {
    return this.state.get();
  }

  protected update(change: Partial<T>): void {
    if (!this.lifetime.signal.aborted) this.state.set({ ...this.snapshot, ...change });
  }
}

const NOTHING = createStore(null);

/** Creates and starts a store when the component mounts, and stops it on unmount; null before that. */
export function useLiveStore<T, S extends LiveStore<T>>(create: () => S): { store: S; snapshot: T } | null {
  const [store, setStore] = useState<S | null>(null);
  useEffect(() => {
    const created = create();
    setStore(created);
    void created.start();
    return () => created.stop();
  }, [create]);
  const snapshot = useStore<T | null>(store?.state ?? NOTHING);
  return store === null || snapshot === null ? null : { store, snapshot };
}
