import { useCallback, useLayoutEffect, useState } from 'react';
import { type PlanRoute, parsePlanRoute, planSearch, THE_PLAN } from '@/lib/planRoute';
import { replace } from '@/lib/router';
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
  const [route, setRoute] = useState(THE_PLAN);
  const [focus, setFocus] = useState<object | null>(null);
  const { show: open, close: hide } = panel;

  const change = useCallback((next: PlanRoute) => {
    setRoute(next);
    // What is shown by default needs no address.
    replaceSearch(isDefault(next) ? '' : planSearch(next));
  }, []);
  const show = useCallback(
    (next: PlanRoute = THE_PLAN) => {
      change(next);
      setFocus({});
      open();
    },
    [change, open],
  );
  const close = useCallback(() => {
    setFocus(null);
    change(THE_PLAN);
    hide();
  }, [change, hide]);

  // Before the first paint, so that the debate does not move.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address counts when the debate is opened
  useLayoutEffect(() => {
    const linked = parsePlanRoute(location.search);
    if (linked === null) return;
    setRoute(linked);
    open();
  }, []);

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
