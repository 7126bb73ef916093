import type { Element } from 'hast';
import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { DocumentLink } from '@/documents/DocumentLink';
import { documentPlace } from '@/documents/place';

/** Whether `cite` made it: no markdown makes an element with these properties. */
export function isCitation({ properties }: Element): boolean {
  return typeof properties.dataDocument === 'string';
}

/** The words of whoever cites, as a link to the version that they name. */
export function CitationLink({ node, children }: { node?: Element | undefined; children?: ReactNode }) {
  const { dataDocument: id, dataVersion: version } = node?.properties ?? {};
  if (typeof id !== 'string') return <span>{children}</span>;
  return (
    <DocumentLink
      place={documentPlace(id, typeof version === 'number' ? version : null)}
      className="citation"
    >
      <FileText aria-hidden />
      {children}
    </DocumentLink>
  );
}
