import { useCallback, useLayoutEffect, useMemo, useState } from 'react';
import { type PlanRoute, parsePlanRoute, planSearch, THE_PLAN } from '@/lib/planRoute';
import { replace, useAddress } from '@/lib/router';
import { type Panel, usePanel } from '@/ui/usePanel';

export interface PlanPanelState extends Panel {
  route: PlanRoute;
  /** A new object each time the panel is to take the focus. */
  focus: object | null;
  /** Opens the panel and moves the focus to it. */
  show: (route?: PlanRoute) => void;
  /** Changes what it shows. */
  change: (route: PlanRoute) => void;
}

/** Without a plan it is open only for a document that was asked for. */
export function usePlanPanel(debateId: string, hasPlan: boolean): PlanPanelState {
  const panel = usePanel('plan', debateId);
  const [chosen, setChosen] = useState(THE_PLAN);
  const [focus, setFocus] = useState<object | null>(null);
  const { wide, open: shown, showAt, close: hide } = panel;
  const search = useAddress(() => location.search, '');
  const linked = useMemo(() => parsePlanRoute(search), [search]);
  // A sheet shows what the address says, also after Back and Forward.
  const route = (wide ? null : linked) ?? chosen;

  const change = useCallback(
    (next: PlanRoute) => {
      setChosen(next);
      // Beside the debate, what is shown by default needs no address.
      if (!wide) replaceSearch(planSearch(next));
      else replaceSearch(isDefault(next) ? '' : planSearch(next));
    },
    [wide],
  );
  const show = useCallback(
    (next: PlanRoute = THE_PLAN) => {
      setFocus({});
      if (wide || shown) change(next);
      else setChosen(next);
      showAt(planSearch(next));
    },
    [wide, shown, change, showAt],
  );
  const close = useCallback(() => {
    setFocus(null);
    if (wide) change(THE_PLAN);
    hide();
  }, [wide, change, hide]);

  // A link leads to the panel by its address. Before the first paint, so that the debate does not move.
  useLayoutEffect(() => {
    if (linked === null) return;
    setChosen(linked);
    showAt(location.search);
  }, [linked, showAt]);

  return {
    ...panel,
    open: panel.open && (hasPlan || route.id !== null),
    route,
    focus,
    show,
    change,
    close,
  };
}

function isDefault(route: PlanRoute): boolean {
  return Object.values(route).every((value) => value === null);
}

function replaceSearch(search: string): void {
  const former = parsePlanRoute(location.search);
  // The drawer and the record have the query string while they are open.
  if (former === null && (search === '' || location.search !== '')) return;
  replace(location.pathname + search + location.hash);
}
