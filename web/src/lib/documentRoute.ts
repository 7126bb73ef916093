import { useMemo } from 'react';
import { navigate, overlayDepth, replace, searchOf, useAddress } from './router';

export const DOCUMENT_VIEWS = ['rendered', 'raw', 'versions', 'changes'] as const;

export type DocumentViewName = (typeof DOCUMENT_VIEWS)[number];

export interface DocumentRoute {
  kind: 'document';
  id: string;
  /** Null for the newest version. */
  version: number | null;
  /** Null for the default: raw for JSON, rendered for everything else. */
  view: DocumentViewName | null;
  /** The version that `changes` compares with; null for the previous one. */
  from: number | null;
}

/** What the drawer shows: the list of documents, or one document. */
export type DocumentsRoute = { kind: 'list' } | DocumentRoute;

/** Parses the query string: `?docs`, or `?doc=<id>&v=2&view=changes&from=1`. */
export function parseDocumentsRoute(search: string): DocumentsRoute | null {
  const query = new URLSearchParams(search);
  const id = query.get('doc');
  if (id === null) return query.has('docs') ? { kind: 'list' } : null;
  return {
    kind: 'document',
    id: id.trim().toLowerCase(),
    version: parseVersion(query.get('v')),
    view: DOCUMENT_VIEWS.find((view) => view === query.get('view')) ?? null,
    from: parseVersion(query.get('from')),
  };
}

/** The number of a version in an address. */
export function parseVersion(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

export function toSearch(route: DocumentsRoute | null): string {
  if (route === null) return '';
  if (route.kind === 'list') return '?docs';
  const { id, version, view, from } = route;
  return searchOf({ doc: id, v: version, view, from });
}

export function documentRoute(id: string, version: number | null = null): DocumentRoute {
  return { kind: 'document', id, version, view: null, from: null };
}

function addressOf(route: DocumentsRoute | null): string {
  return `${location.pathname}${toSearch(route)}${location.hash}`;
}

/** Adds a history entry, so that Back returns to what was shown before. */
export function openDocuments(route: DocumentsRoute): void {
  const loadedWithDrawer = parseDocumentsRoute(location.search) !== null && overlayDepth() === 0;
  navigate(addressOf(route), loadedWithDrawer ? 0 : overlayDepth() + 1);
}

/** Replaces the history entry: however many views were looked at, one Back closes the drawer. */
export function replaceDocuments(route: DocumentsRoute): void {
  replace(addressOf(route));
}

let closing = false;

/** Goes back to the history entry from which the drawer was opened. */
export function closeDocuments(): void {
  const depth = overlayDepth();
  if (depth === 0) replace(addressOf(null));
  // `history.go` is asynchronous: a second call before `popstate` would go back twice as far.
  if (depth === 0 || closing) return;
  closing = true;
  window.addEventListener('popstate', () => (closing = false), { once: true });
  history.go(-depth);
}

export function useDocumentsRoute(): DocumentsRoute | null {
  const search = useAddress(() => location.search, '');
  return useMemo(() => parseDocumentsRoute(search), [search]);
}
