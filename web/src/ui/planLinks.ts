import { createContext, useContext } from 'react';
import type { Citation } from '@/api/types';
import type { PlanRoute } from '@/lib/planRoute';

/** Shows a document in the panel beside the debate. Null outside a debate: the drawer shows it then. */
export const PlanLinksContext = createContext<((route: PlanRoute) => void) | null>(null);

export function usePlanLinks(): ((route: PlanRoute) => void) | null {
  return useContext(PlanLinksContext);
}

/** The citations of the argument around a text that the server has found. Null outside an argument. */
export const CitationsContext = createContext<readonly Citation[] | null>(null);
