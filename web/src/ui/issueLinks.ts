import { createContext, useContext } from 'react';
import type { Issue } from '@/api/types';
import { debatePath, issueHash, navigate } from '@/lib/router';

/** The issues of a debate, for the links to them. */
export interface IssueLinks {
  /** The path of the debate; empty if it is open. */
  path: string;
  /** Undefined if the debate has no such issue. */
  find(id: string): Issue | undefined;
  /** Shows an issue in the panel. */
  show(id: string): void;
}

/** The links on a page beside the debate, which open it at the issue. */
export function linksIntoDebate(debateId: string, issues: readonly Issue[]): IssueLinks {
  const path = debatePath(debateId);
  return {
    path,
    find: (id) => issues.find((issue) => issue.id === id),
    show: (id) => navigate(path + issueHash(id)),
  };
}

/** Null where no debate is spoken of. */
export const IssueLinksContext = createContext<IssueLinks | null>(null);

export function useIssueLinks(): IssueLinks | null {
  return useContext(IssueLinksContext);
}
