import { useSyncExternalStore } from 'react';

export interface Store<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

interface Persistence<T> {
  read(): T | null;
  write(value: T): void;
}

/** A value outside React. If storage fails (private window, full disk), the value is kept in memory only. */
export function createStore<T>(initial: T, persistence?: Persistence<T>): Store<T> {
  const listeners = new Set<() => void>();
  let value = initial;
  let loaded = persistence === undefined || typeof window === 'undefined';

  return {
    get() {
      if (!loaded) {
        loaded = true;
        try {
          value = persistence?.read() ?? initial;
        } catch {
          value = initial;
        }
      }
      return value;
    },
    set(next) {
      if (Object.is(next, this.get())) return;
      value = next;
      try {
        persistence?.write(next);
      } catch {
        // The value stays in memory.
      }
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(
    store.subscribe,
    () => store.get(),
    () => store.get(),
  );
}

/** A part of a store's value: a component is rendered again only when that part is another one. */
export function useSelected<T, S>(store: Store<T>, select: (value: T) => S): S {
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => select(store.get()),
  );
}
