import { parseVersion } from './documentRoute';
import { searchOf } from './router';

/** What the plan panel shows. Null is the default everywhere: the plan, its newest cited version, what fits it. */
export interface PlanRoute {
  id: string | null;
  version: number | null;
  view: 'text' | 'changes' | null;
  /** The version that `changes` compares with; null for that of the last ruling. */
  from: number | null;
  form: 'rendered' | 'raw' | null;
}

export const THE_PLAN: PlanRoute = { id: null, version: null, view: null, from: null, form: null };

const VIEWS = ['text', 'changes'] as const;
const FORMS = ['rendered', 'raw'] as const;

/** Parses the query string: `?plan`, or `?plan=<id>&v=3&view=changes&from=1&form=raw`. */
export function parsePlanRoute(search: string): PlanRoute | null {
  const query = new URLSearchParams(search);
  const id = query.get('plan');
  if (id === null) return null;
  return {
    id: id.trim().toLowerCase() || null,
    version: parseVersion(query.get('v')),
    view: VIEWS.find((view) => view === query.get('view')) ?? null,
    from: parseVersion(query.get('from')),
    form: FORMS.find((form) => form === query.get('form')) ?? null,
  };
}

export function planSearch({ id, version, view, from, form }: PlanRoute): string {
  return searchOf({ plan: id ?? '', v: version, view, from, form })
    .replace('?plan=&', '?plan&')
    .replace(/=$/, '');
}
