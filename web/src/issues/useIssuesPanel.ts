import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { issuesPanel } from '@/lib/preferences';
import { issueInHash } from '@/lib/router';
import { useStore } from '@/lib/store';
import { useMediaQuery } from '@/ui/useMediaQuery';

/** The narrowest screen that has room for the panel beside the list and the debate. */
const WIDE = '(min-width: 80rem)';

export const PANEL_ID = 'issues';
export const PANEL_BUTTON_ID = 'issues-button';

/** Moves the focus to an issue; to the one that is active in the panel if `id` is null. */
export interface FocusRequest {
  id: string | null;
}

export interface IssuesPanelState {
  open: boolean;
  /** Whether it is beside the debate. If not, it is a sheet over it. */
  wide: boolean;
  /** A new object for each request. */
  request: FocusRequest | null;
  /** Opens the panel, at an issue if one is given. */
  show: (id?: string) => void;
  close: () => void;
}

/** Whether the panel is shown: on a wide screen for all debates until it is closed, else until the next page. */
export function useIssuesPanel(): IssuesPanelState {
  const wide = useMediaQuery(WIDE);
  const shownBeside = useStore(issuesPanel) === 'open';
  const [sheet, setSheet] = useState(false);
  const [request, setRequest] = useState<FocusRequest | null>(null);
  const previousFocus = useRef<Element | null>(null);

  const setOpen = useCallback(
    (open: boolean) => {
      if (wide) issuesPanel.set(open ? 'open' : 'closed');
      else setSheet(open);
    },
    [wide],
  );
  const show = useCallback(
    (id: string | null = null) => {
      if (!focusInPanel()) previousFocus.current = document.activeElement;
      setRequest({ id });
      setOpen(true);
    },
    [setOpen],
  );
  const close = useCallback(() => {
    // A sheet is a dialog, which returns the focus itself.
    if (wide && focusInPanel()) {
      const former = previousFocus.current;
      const target = former?.isConnected ? former : document.getElementById(PANEL_BUTTON_ID);
      if (target instanceof HTMLElement) target.focus();
    }
    setRequest(null);
    setOpen(false);
  }, [wide, setOpen]);

  useEffect(() => {
    const showLinked = () => {
      const id = issueInHash();
      if (id !== null) show(id);
    };
    showLinked();
    window.addEventListener('hashchange', showLinked);
    return () => window.removeEventListener('hashchange', showLinked);
  }, [show]);

  const open = wide ? shownBeside : sheet;
  return useMemo(() => ({ open, wide, request, show, close }), [open, wide, request, show, close]);
}

function focusInPanel(): boolean {
  return document.getElementById(PANEL_ID)?.contains(document.activeElement) ?? false;
}
