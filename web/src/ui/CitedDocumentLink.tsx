import { FileQuestion, FileText } from 'lucide-react';
import { type ComponentProps, useContext } from 'react';
import { useCitedDocument } from '@/api/citedDocument';
import { useT } from '@/i18n';
import { documentRoute } from '@/lib/documentRoute';
import { planSearch, THE_PLAN } from '@/lib/planRoute';
import { cn } from './cn';
import { DocumentLink } from './DocumentLink';
import { Link } from './Link';
import { CitationsContext, usePlanLinks } from './planLinks';

interface CitedDocumentLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  id: string;
  /** Null if the citation has no version. */
  version: number | null;
  /** Whether its words stay as they were written, as in code. */
  verbatim?: boolean;
}

/**
 * A citation, as the document's title and version: shows it in the panel of the debate, or in the drawer. One that does not
 * exist keeps its words and is marked.
 */
export function CitedDocumentLink({ id, version, verbatim, children, ...props }: CitedDocumentLinkProps) {
  const t = useT();
  const show = usePlanLinks();
  const found = useContext(CitationsContext);
  const document = useCitedDocument(id, version);
  // The server lists what it found when the argument was written; older arguments have no list.
  const listed = found?.some((citation) => citation.document_id === id && citation.version === version);
  const unknown = document === null && listed !== true;
  const Icon = unknown ? FileQuestion : FileText;
  const content = (
    <>
      {!verbatim && <Icon aria-hidden />}
      {document && !verbatim ? (
        <>
          <span>{document.title.trim() || t('documents.untitled')}</span>
          {version !== null && ` v${version}`}
        </>
      ) : (
        <span>{children}</span>
      )}
      {unknown && <span className="sr-only"> ({t('citation.unknown')})</span>}
    </>
  );
  const shared = {
    ...props,
    className: cn(verbatim ? '' : 'citation', unknown && 'unknown-citation'),
    title: unknown ? t('citation.unknown') : `doc_id=${id}${version === null ? '' : ` v${version}`}`,
  };
  if (show === null) {
    return (
      <DocumentLink route={documentRoute(id, version)} {...shared}>
        {content}
      </DocumentLink>
    );
  }
  const route = { ...THE_PLAN, id, version };
  return (
    <Link href={planSearch(route)} onNavigate={() => show(route)} {...shared}>
      {content}
    </Link>
  );
}
