import { useSyncExternalStore } from 'react';

const MOVED = 'aweave:moved';

export function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  window.addEventListener(MOVED, listener);
  return () => {
    window.removeEventListener('popstate', listener);
    window.removeEventListener(MOVED, listener);
  };
}

export function debateIdIn(pathname: string): string | null {
  const match = /^\/d\/([^/]+)\/?$/.exec(pathname);
  return match?.[1] ? decoded(match[1]).toLowerCase() : null;
}

/** An address somebody mistyped is still an address. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function debatePath(id: string, seq?: number): string {
  return `/d/${encodeURIComponent(id)}${seq === undefined ? '' : `#${seq}`}`;
}

/** How many steps of the history were taken since what lies over the page was closed; 0 where it came with the address. */
export function depth(): number {
  const steps: unknown = history.state?.depth;
  return typeof steps === 'number' ? steps : 0;
}

export function navigate(path: string, steps = 0): void {
  if (path !== location.pathname + location.search + location.hash)
    history.pushState({ depth: steps }, '', path);
  window.dispatchEvent(new Event(MOVED));
}

/** Another address for the same step of the history. */
export function replace(path: string): void {
  history.replaceState({ depth: depth() }, '', path);
  window.dispatchEvent(new Event(MOVED));
}

/** Marks the argument in the address without adding a step to the history. */
export function replaceHash(seq: number): void {
  history.replaceState({ depth: depth() }, '', `${location.pathname}${location.search}#${seq}`);
}

/** The debate in the address; undefined while the page is not alive yet. */
export function useDebateId(): string | null | undefined {
  return useSyncExternalStore(
    subscribe,
    () => debateIdIn(location.pathname),
    () => undefined,
  );
}
