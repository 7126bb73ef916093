import type { ComponentProps } from 'react';
import { type DocumentsRoute, openDocuments, replaceDocuments, toSearch } from '@/lib/documentRoute';
import { Link } from './Link';

interface DocumentLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  route: DocumentsRoute;
  /** Replaces the history entry instead of adding one. */
  replaces?: boolean;
}

/** Opens a document, or the list of documents, in the drawer. */
export function DocumentLink({ route, replaces = false, ...props }: DocumentLinkProps) {
  return (
    <Link
      href={toSearch(route)}
      onNavigate={() => (replaces ? replaceDocuments(route) : openDocuments(route))}
      {...props}
    />
  );
}
