import { useEffect, useState, useSyncExternalStore } from 'react';

/** A value that is kept live from its start until it is stopped. */
export abstract class LiveStore<T> {
  private readonly listeners = new Set<() => void>();
  /** Aborted once it is stopped. */
  protected readonly lifetime = new AbortController();

  constructor(protected snapshot: T) {}

  abstract start(): unknown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): T => this.snapshot;

  stop(): void {
    this.lifetime.abort();
  }

  protected update(change: Partial<T>): void {
    if (this.lifetime.signal.aborted) return;
    this.snapshot = { ...this.snapshot, ...change };
    for (const listener of this.listeners) listener();
  }
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
