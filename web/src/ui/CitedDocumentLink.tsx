import { FileQuestion, FileText } from 'lucide-react';
import { type ComponentProps, useContext } from 'react';
import { useVersionExists } from '@/api/documentVersions';
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
  icon?: boolean;
}

/** A citation: shows the version in the panel of the debate, or in the drawer. One that does not exist is marked. */
export function CitedDocumentLink({ id, version, icon = false, children, ...props }: CitedDocumentLinkProps) {
  const t = useT();
  const show = usePlanLinks();
  const found = useContext(CitationsContext);
  // The server lists what it found when the argument was written; older arguments have no list.
  const listed = found?.some((citation) => citation.document_id === id && citation.version === version);
  const exists = useVersionExists(id, version, listed === false);
  const unknown = exists === false;
  const Icon = unknown ? FileQuestion : FileText;
  const content = (
    <>
      {icon && <Icon aria-hidden />}
      {children}
      {unknown && <span className="sr-only"> ({t('citation.unknown')})</span>}
    </>
  );
  const shared = {
    ...props,
    className: cn(props.className, unknown && 'unknown-citation'),
    ...(unknown && { title: t('citation.unknown') }),
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
