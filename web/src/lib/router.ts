import { useSyncExternalStore } from 'react';
import { decoded } from './decoded';

const NAVIGATED = 'aweave:navigated';

export function subscribe(listener: () => void): () => void {
  const subscription = new AbortController();
  for (const name of ['popstate', NAVIGATED]) window.addEventListener(name, listener, subscription);
  return () => subscription.abort();
}

export function debateIdIn(pathname: string): string | null {
  const match = /^\/d\/([^/]+)\/?$/.exec(pathname);
  return match?.[1] ? decoded(match[1]).toLowerCase() : null;
}

/** The address of a debate, or of an argument or an issue in it. */
export function debatePath(id: string, place?: number | string): string {
  return `/d/${encodeURIComponent(id)}${place === undefined ? '' : `#${place}`}`;
}

/** The address of the inbox, at the card of a debate if one is given. */
export function inboxPath(debateId?: string): string {
  return debateId === undefined ? '/' : `/#${encodeURIComponent(debateId)}`;
}

/** The debate whose card the address of the inbox names. */
export function debateInHash(hash: string = location.hash): string | null {
  return /^#([0-9a-f-]{36})$/i.exec(hash)?.[1]?.toLowerCase() ?? null;
}

/** The address of the list on a phone, where it has a page of its own. */
export const LIST_PATH = '/?list';

/** How many history entries an open overlay has added; 0 if the page was loaded with the overlay open. */
export function overlayDepth(): number {
  const depth: unknown = history.state?.depth;
  return typeof depth === 'number' ? depth : 0;
}

export function navigate(path: string, depth = 0): void {
  if (path !== location.pathname + location.search + location.hash) history.pushState({ depth }, '', path);
  window.dispatchEvent(new Event(NAVIGATED));
}

/** Replaces the address of the current history entry. */
export function replace(path: string): void {
  history.replaceState({ ...history.state, depth: overlayDepth() }, '', path);
  window.dispatchEvent(new Event(NAVIGATED));
}

/** Opens a sheet over the page, in a history entry of its own: Back closes it. */
export function openSheet(search: string): void {
  history.pushState({ depth: 0, sheet: true }, '', location.pathname + search + location.hash);
  window.dispatchEvent(new Event(NAVIGATED));
}

/** Goes back to the page from which the sheet was opened; to the page below it if the sheet was opened by its address. */
export function closeSheet(): void {
  if (history.state?.sheet === true) history.back();
  else replace(location.pathname + location.hash);
}

/** Closes the sheet without going back: something of the page below it is shown next. */
export function leaveSheet(): void {
  history.replaceState({ depth: 0 }, '', location.pathname + location.hash);
  window.dispatchEvent(new Event(NAVIGATED));
}

/** Puts an argument's `seq` into the address, without a new history entry. */
export function replaceHash(seq: number): void {
  const path = `${location.pathname}${location.search}#${seq}`;
  history.replaceState({ ...history.state, depth: overlayDepth() }, '', path);
}

/** The seq in a permalink `/d/<id>#<seq>`. */
export function seqInHash(hash: string = location.hash): number | null {
  const match = /^#(\d{1,9})$/.exec(hash);
  return match ? Number(match[1]) : null;
}

/** The id of the issue in a permalink `/d/<id>#I<number>`. */
export function issueInHash(hash: string = location.hash): string | null {
  return /^#(I[1-9]\d{0,8})$/.exec(hash)?.[1] ?? null;
}

/** The address of the form that opens a debate. */
export const NEW_PATH = '/?new';

/** The address of a debate's record. */
export function recordPath(debateId: string): string {
  return `${debatePath(debateId)}?record`;
}

/** Whether the query string has a name: `list` of a phone, `record` of a debate, `new` of the form. */
export const inAddress = (name: string) => new URLSearchParams(location.search).has(name);

/** What the address says, and `initial` while the exported HTML is rendered. */
export function useAddress<T>(read: () => T, initial: T): T {
  return useSyncExternalStore(subscribe, read, () => initial);
}

export const useInAddress = (name: string) => useAddress(() => inAddress(name), false);

/** Whether the address is of no page. */
export const useUnknownPage = () =>
  useAddress(() => location.pathname !== '/' && debateIdIn(location.pathname) === null, false);

/** The id of the debate in the address; undefined while the exported HTML is rendered. */
export const useDebateId = () =>
  useAddress<string | null | undefined>(() => debateIdIn(location.pathname), undefined);

/** A query string of the values that there are. */
export function searchOf(values: Record<string, string | number | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== null) query.set(name, String(value));
  const search = query.toString();
  return search === '' ? '' : `?${search}`;
}
