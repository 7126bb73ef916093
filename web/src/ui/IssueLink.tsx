import { type ComponentProps, createContext, useContext } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath, navigate } from '@/lib/router';
import { Link } from './Link';

interface IssueLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  id: string;
}

/** Shows an issue in the panel. Plain text if the debate has no such issue. */
export function IssueLink({ id, children, ...props }: IssueLinkProps) {
  const t = useT();
  const links = useContext(IssueLinksContext);
  const issue = links?.find(id);
  if (!links || issue === undefined) return <>{children}</>;
  const title = `${issue.title} (${t.label('status', issue.status)})`;
  return (
    <Link
      href={`${links.path}#${id}`}
      onNavigate={() => links.show(id)}
      title={title}
      className="link rounded"
      {...props}
    >
      {children}
    </Link>
  );
}

/** The issues of a debate, for the links to them. */
interface IssueLinks {
  /** The path of the debate; empty if it is open. */
  path: string;
  /** Undefined if the debate has no such issue. */
  find(id: string): Issue | undefined;
  /** The severity that an issue had once an argument was written, where that is known. */
  severityAt?(id: string, seq: number): string | undefined;
  /** Shows an issue in the panel. */
  show(id: string): void;
}

/** The links on a page beside the debate, which open it at the issue. */
export function linksIntoDebate(debateId: string, issues: readonly Issue[]): IssueLinks {
  return {
    path: debatePath(debateId),
    find: (id) => issues.find((issue) => issue.id === id),
    show: (id) => navigate(debatePath(debateId, id)),
  };
}

/** Null where no debate is spoken of. */
export const IssueLinksContext = createContext<IssueLinks | null>(null);
