import { useCallback, useRef, useState } from 'react';
import { panelPreference } from '@/lib/preferences';
import { useStore } from '@/lib/store';
import { useMediaQuery } from './useMediaQuery';

/** The narrowest screen that has room for a panel beside the list and the debate. */
const WIDE = '(min-width: 80rem)';

/** Something beside the debate that can be closed; on a screen without room for it a sheet over the debate. */
export interface Panel {
  /** The id of its element. */
  id: string;
  open: boolean;
  /** Whether it is beside the debate. If not, it is a sheet over it. */
  wide: boolean;
  show: () => void;
  close: () => void;
}

/** On a wide screen a panel is shown with its debate until it is closed, else until the next page. */
export function usePanel(id: string, debateId: string): Panel {
  const wide = useMediaQuery(WIDE);
  const [shownBeside] = useState(() => panelPreference(id, debateId));
  const beside = useStore(shownBeside) === 'open';
  const [sheet, setSheet] = useState(false);
  const previousFocus = useRef<Element | null>(null);

  const setOpen = useCallback(
    (open: boolean) => {
      if (wide) shownBeside.set(open ? 'open' : 'closed');
      else setSheet(open);
    },
    [wide, shownBeside],
  );
  const show = useCallback(() => {
    if (!hasFocus(id)) previousFocus.current = document.activeElement;
    setOpen(true);
  }, [id, setOpen]);
  const close = useCallback(() => {
    // A sheet is a dialog, which returns the focus itself.
    if (wide && hasFocus(id)) {
      const former = previousFocus.current;
      const usable = former !== document.body && former?.isConnected;
      const target = usable ? former : document.getElementById(panelButtonId(id));
      if (target instanceof HTMLElement) target.focus();
    }
    setOpen(false);
  }, [id, wide, setOpen]);

  return { id, open: wide ? beside : sheet, wide, show, close };
}

/** The id of the button that opens and closes a panel. */
export function panelButtonId(panelId: string): string {
  return `${panelId}-button`;
}

function hasFocus(id: string): boolean {
  return document.getElementById(id)?.contains(document.activeElement) ?? false;
}
