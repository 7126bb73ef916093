import { useEffect, useState, useSyncExternalStore } from 'react';

interface Session<T> {
  subscribe(listener: () => void): () => void;
  get(): T;
  start(): unknown;
  stop(): void;
}

const never = () => () => undefined;

/** Runs a session for as long as the component lives; null before the first effect. */
export function useSession<T, S extends Session<T>>(create: () => S): { session: S; snapshot: T } | null {
  const [session, setSession] = useState<S | null>(null);
  useEffect(() => {
    const started = create();
    setSession(started);
    void started.start();
    return () => started.stop();
  }, [create]);
  const snapshot = useSyncExternalStore(
    session?.subscribe ?? never,
    () => session?.get() ?? null,
    () => null,
  );
  return session === null || snapshot === null ? null : { session, snapshot };
}
