import { useMemo, useSyncExternalStore } from 'react';
import { depth, navigate, replace, subscribe } from '@/shell/router';

export const VIEWS = ['rendered', 'raw', 'versions', 'changes'] as const;

export type ViewName = (typeof VIEWS)[number];

export interface DocumentPlace {
  kind: 'document';
  id: string;
  /** Null is the newest there is. */
  version: number | null;
  /** Null is what suits the text. */
  view: ViewName | null;
  /** With `changes`: the version to compare with; null is the one before. */
  from: number | null;
}

/** What lies over the page: the list of documents, or one of them. */
export type Place = { kind: 'list' } | DocumentPlace;

/** Reads the part of an address after `?`: `doc=<id>&v=2&view=changes&from=1`, or `docs`. */
export function placeIn(search: string): Place | null {
  const query = new URLSearchParams(search);
  const id = query.get('doc');
  if (id === null) return query.has('docs') ? { kind: 'list' } : null;
  return {
    kind: 'document',
    id: id.trim().toLowerCase(),
    version: versionIn(query.get('v')),
    view: VIEWS.find((view) => view === query.get('view')) ?? null,
    from: versionIn(query.get('from')),
  };
}

function versionIn(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

export function searchOf(place: Place | null): string {
  if (place === null) return '';
  if (place.kind === 'list') return '?docs';
  const query = new URLSearchParams({ doc: place.id });
  if (place.version !== null) query.set('v', String(place.version));
  if (place.view !== null) query.set('view', place.view);
  if (place.from !== null) query.set('from', String(place.from));
  return `?${query}`;
}

export function documentPlace(id: string, version: number | null = null): DocumentPlace {
  return { kind: 'document', id, version, view: null, from: null };
}

function addressOf(place: Place | null): string {
  return `${location.pathname}${searchOf(place)}${location.hash}`;
}

/** A step of the history, so that Back undoes it. */
export function open(place: Place): void {
  const cameWithAddress = placeIn(location.search) !== null && depth() === 0;
  navigate(addressOf(place), cameWithAddress ? 0 : depth() + 1);
}

/** Another look at what is open: Back still closes it. */
export function turn(place: Place): void {
  replace(addressOf(place));
}

let leaving = false;

export function close(): void {
  const steps = depth();
  if (steps === 0) replace(addressOf(null));
  // The history moves later: who asks twice must not go back twice as far.
  if (steps === 0 || leaving) return;
  leaving = true;
  window.addEventListener('popstate', () => (leaving = false), { once: true });
  history.go(-steps);
}

export function usePlace(): Place | null {
  const search = useSyncExternalStore(
    subscribe,
    () => location.search,
    () => '',
  );
  return useMemo(() => placeIn(search), [search]);
}
