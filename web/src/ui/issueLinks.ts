import { createContext, useContext } from 'react';
import type { Issue } from '@/api/types';

/** The issues of the open debate, for the links to them. */
export interface IssueLinks {
  /** Undefined if the debate has no such issue. */
  find(id: string): Issue | undefined;
  /** Shows an issue in the panel. */
  show(id: string): void;
}

/** Null outside a debate. */
export const IssueLinksContext = createContext<IssueLinks | null>(null);

export function useIssueLinks(): IssueLinks | null {
  return useContext(IssueLinksContext);
}
