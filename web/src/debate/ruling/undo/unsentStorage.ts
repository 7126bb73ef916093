import { newRequestId } from '@/websocket/outbox';
import type { UnsentRuling } from './unsentRulings';

/** Each ruling has an entry of its own, so that two tabs never overwrite each other's. */
const PREFIX = 'aweave.unsent.';

/** If storage fails, rulings are kept in memory only. */
function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

function parse(stored: string | null): UnsentRuling | null {
  const ruling = attempt(() => JSON.parse(stored ?? 'null') as UnsentRuling | null, null);
  if (ruling === null) return null;
  // An older version of the app stored it as a text.
  return {
    ...ruling,
    summary: [ruling.summary].flat().filter((part) => part !== ''),
    sending: false,
    failure: null,
  };
}

/** What any tab has kept, in the order in which it is sent. */
export function readUnsent(): UnsentRuling[] {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  const rulings = keys.flatMap((key) => parse(localStorage.getItem(key)) ?? []);
  return rulings.toSorted((a, b) => a.sendAt - b.sendAt);
}

export function writeUnsent(ruling: UnsentRuling): void {
  attempt(() => localStorage.setItem(PREFIX + ruling.requestId, JSON.stringify(ruling)), undefined);
}

export function removeUnsent(requestId: string): void {
  attempt(() => localStorage.removeItem(PREFIX + requestId), undefined);
}

/** Calls back when another tab has kept a ruling, or removed one. */
export function watchUnsent(onChange: (requestId: string, ruling: UnsentRuling | null) => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX)) onChange(key.slice(PREFIX.length), parse(newValue));
  });
}

/** This page: a tab that is duplicated or reloaded is another one. */
export const PAGE = newRequestId();
