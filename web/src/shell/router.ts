import { useSyncExternalStore } from 'react';

const MOVED = 'aweave:moved';

function subscribe(listener: () => void): () => void {
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

export function navigate(path: string): void {
  if (path !== location.pathname + location.hash) history.pushState(null, '', path);
  window.dispatchEvent(new Event(MOVED));
}

/** Marks the argument in the address without adding a step to the history. */
export function replaceHash(seq: number): void {
  history.replaceState(null, '', `${location.pathname}#${seq}`);
}

/** The debate in the address; undefined while the page is not alive yet. */
export function useDebateId(): string | null | undefined {
  return useSyncExternalStore(
    subscribe,
    () => debateIdIn(location.pathname),
    () => undefined,
  );
}
