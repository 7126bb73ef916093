import type { Element } from 'hast';
import type { ReactNode } from 'react';
import { CitedDocumentLink } from '@/ui/CitedDocumentLink';

/** Whether `rehypeCitations` made the element: sanitized markdown never has these properties. */
export function isCitation({ properties }: Element): boolean {
  return typeof properties.dataDocument === 'string';
}

/** The text of a citation as a link to the document version. */
export function CitationLink({ node, children }: { node?: Element | undefined; children?: ReactNode }) {
  const { dataDocument: id, dataVersion: version } = node?.properties ?? {};
  if (typeof id !== 'string') return <span>{children}</span>;
  return (
    <CitedDocumentLink
      icon
      id={id}
      version={typeof version === 'number' ? version : null}
      className="citation"
    >
      {children}
    </CitedDocumentLink>
  );
}
