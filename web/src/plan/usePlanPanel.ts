import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type PlanRoute, parsePlanRoute, planSearch, THE_PLAN } from '@/lib/planRoute';
import { planPanel } from '@/lib/preferences';
import { replace } from '@/lib/router';
import { useStore } from '@/lib/store';
import { useMediaQuery } from '@/ui/useMediaQuery';

/** The narrowest screen that has room for the panel beside the list and the debate. */
const WIDE = '(min-width: 80rem)';

export const PLAN_PANEL_ID = 'plan';
export const PLAN_BUTTON_ID = 'plan-button';

export interface PlanPanelState {
  open: boolean;
  /** Whether it is beside the debate. If not, it is a sheet over it. */
  wide: boolean;
  route: PlanRoute;
  /** A new object each time the panel is to take the focus. */
  focus: object | null;
  /** Opens the panel and moves the focus to it. */
  show: (route?: PlanRoute) => void;
  /** Changes what it shows. */
  change: (route: PlanRoute) => void;
  close: () => void;
}

/** Whether the panel is shown: on a wide screen for all debates until it is closed, else until the next page. */
export function usePlanPanel(): PlanPanelState {
  const wide = useMediaQuery(WIDE);
  const shownBeside = useStore(planPanel) === 'open';
  const [sheet, setSheet] = useState(false);
  const [route, setRoute] = useState(THE_PLAN);
  const [focus, setFocus] = useState<object | null>(null);
  const previousFocus = useRef<Element | null>(null);

  const setOpen = useCallback(
    (open: boolean) => {
      if (wide) planPanel.set(open ? 'open' : 'closed');
      else setSheet(open);
    },
    [wide],
  );
  const change = useCallback((next: PlanRoute) => {
    setRoute(next);
    // What is shown by default needs no address.
    replaceSearch(isDefault(next) ? '' : planSearch(next));
  }, []);
  const show = useCallback(
    (next: PlanRoute = THE_PLAN) => {
      if (!focusInPanel()) previousFocus.current = document.activeElement;
      change(next);
      setFocus({});
      setOpen(true);
    },
    [change, setOpen],
  );
  const close = useCallback(() => {
    // A sheet is a dialog, which returns the focus itself.
    if (wide && focusInPanel()) {
      const former = previousFocus.current;
      const target = former?.isConnected ? former : document.getElementById(PLAN_BUTTON_ID);
      if (target instanceof HTMLElement) target.focus();
    }
    setFocus(null);
    change(THE_PLAN);
    setOpen(false);
  }, [wide, change, setOpen]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address counts when the debate is opened
  useEffect(() => {
    const linked = parsePlanRoute(location.search);
    if (linked === null) return;
    setRoute(linked);
    setOpen(true);
  }, []);

  const open = wide ? shownBeside : sheet;
  return useMemo(
    () => ({ open, wide, route, focus, show, change, close }),
    [open, wide, route, focus, show, change, close],
  );
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

function focusInPanel(): boolean {
  return document.getElementById(PLAN_PANEL_ID)?.contains(document.activeElement) ?? false;
}
