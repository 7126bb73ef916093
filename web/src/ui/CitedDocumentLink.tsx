import { useQuery } from '@tanstack/react-query';
import { FileQuestion, FileText } from 'lucide-react';
import { type ComponentProps, createContext, useContext } from 'react';
import { type ApiError, api } from '@/api/client';
import type { Citation } from '@/api/types';
import { useT } from '@/i18n';
import { documentRoute, openDocuments, toSearch } from '@/lib/documentRoute';
import { type PlanRoute, planSearch, THE_PLAN } from '@/lib/planRoute';
import { cn } from './cn';
import { Link } from './Link';

/** Shows a document in the panel beside the debate. Null outside a debate: the drawer shows it then. */
export const PlanLinksContext = createContext<((route: PlanRoute) => void) | null>(null);

/** The citations of the argument around a text that the server has found. Null outside an argument. */
export const CitationsContext = createContext<readonly Citation[] | null>(null);

interface CitedDocumentLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  id: string;
  /** Null if the citation has no version. */
  version: number | null;
  /** Whether its words stay as they were written, as in code. */
  verbatim?: boolean;
}

/** The title may be long; the version stays in view. */
const CHIP =
  'citation inline-flex max-w-[min(100%,26rem)] items-baseline rounded-[0.5em] border bg-card px-[0.4em] align-bottom font-medium whitespace-pre no-underline! hover:bg-accent';
const UNKNOWN = 'unknown-citation text-destructive! decoration-wavy!';

/**
 * A citation, as the document's title and version: shows it in the panel of the debate, or in the drawer. One that does not
 * exist keeps its words and is marked.
 */
export function CitedDocumentLink(props: CitedDocumentLinkProps) {
  const { id, version, verbatim, className, children, ...others } = props;
  const t = useT();
  const show = useContext(PlanLinksContext);
  const found = useContext(CitationsContext);
  const { data, error, isPending } = useQuery({
    queryKey: ['cited', id],
    queryFn: ({ signal }) => api.versions(id, { limit: 1 }, signal),
    // What is cited is there; a version that is not may be made later.
    staleTime: ({ state }) =>
      (state.data?.document.latest_version ?? 0) < (version ?? 1) ? 0 : Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const document = data?.document;
  // The server lists what it found when the argument was written; older arguments have no list.
  const listed = found?.some((citation) => citation.document_id === id && citation.version === version);
  const missing = document ? version === 0 || (version ?? 1) > document.latest_version : isMissing(error);
  const unknown = missing && listed !== true;
  const Icon = unknown ? FileQuestion : FileText;
  const inDrawer = documentRoute(id, version);
  const inDebate = { ...THE_PLAN, id, version };
  return (
    <Link
      {...others}
      href={show === null ? toSearch(inDrawer) : planSearch(inDebate)}
      onNavigate={() => (show === null ? openDocuments(inDrawer) : show(inDebate))}
      className={cn(!verbatim && CHIP, unknown ? UNKNOWN : !verbatim && 'text-foreground!', className)}
      title={unknown ? t('citation.unknown') : `doc_id=${id}${version === null ? '' : ` v${version}`}`}
    >
      {!verbatim && (
        <Icon aria-hidden className="mr-[0.3em] size-[0.9em] flex-none self-center text-muted-foreground" />
      )}
      {document && !missing && !verbatim ? (
        <>
          <span className="overflow-hidden text-ellipsis">
            {document.title.trim() || t('documents.untitled')}
          </span>
          {version !== null && ` v${version}`}
        </>
      ) : (
        // Until the title is there, as wide as one, so that the lines below do not move when it comes.
        <span className={cn('overflow-hidden text-ellipsis', isPending && !verbatim && 'max-w-40')}>
          {children}
        </span>
      )}
      {unknown && <span className="sr-only"> ({t('citation.unknown')})</span>}
    </Link>
  );
}

function isMissing(error: ApiError | null): boolean {
  return error !== null && ['DOCUMENT_NOT_FOUND', 'INVALID_INPUT'].includes(error.failure.code);
}
