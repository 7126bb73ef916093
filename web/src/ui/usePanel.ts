import { useCallback, useRef, useState } from 'react';
import { panelPreference } from '@/lib/preferences';
import { closeSheet, inAddress, openSheet, useInAddress } from '@/lib/router';
import { useStore } from '@/lib/store';
import { useMediaQuery } from './useMediaQuery';

/** The narrowest screen that has room for a panel beside the debate. Below 80rem the list makes room for it. */
const WIDE = '(min-width: 64rem)';

export type PanelId = 'issues' | 'plan';

/** The key that opens and closes each. */
export const PANEL_KEYS: Record<PanelId, string> = { issues: 'i', plan: 'p' };

/** Something beside the debate that can be closed; on a screen without room for it a sheet over the debate. */
export interface Panel {
  /** The id of its element. */
  id: PanelId;
  open: boolean;
  /** Whether it is beside the debate. If not, it is a sheet over it. */
  wide: boolean;
  show: () => void;
  close: () => void;
}

interface AddressedPanel extends Panel {
  /** Shows it, as a sheet with this query string. */
  showAt: (search: string) => void;
}

/**
 * On a wide screen a panel is shown with its debate until it is closed. As a sheet it is in the address, by the name that is its
 * id.
 */
export function usePanel(id: PanelId, debateId: string): AddressedPanel {
  const wide = useMediaQuery(WIDE);
  const [shownBeside] = useState(() => panelPreference(id, debateId));
  const beside = useStore(shownBeside) === 'open';
  const sheet = useInAddress(id);
  const previousFocus = useRef<Element | null>(null);

  const showAt = useCallback(
    (search: string) => {
      if (!hasFocus(id)) previousFocus.current = document.activeElement;
      if (wide) shownBeside.set('open');
      else if (!inAddress(id)) openSheet(search);
    },
    [id, wide, shownBeside],
  );
  const show = useCallback(() => showAt(`?${id}`), [id, showAt]);
  const close = useCallback(() => {
    if (!wide) {
      // A sheet is a dialog, which returns the focus itself.
      if (inAddress(id)) closeSheet();
      return;
    }
    if (hasFocus(id)) {
      const former = previousFocus.current;
      const usable = former !== document.body && former?.isConnected;
      const target = usable ? former : document.getElementById(panelButtonId(id));
      if (target instanceof HTMLElement) target.focus();
    }
    shownBeside.set('closed');
  }, [id, wide, shownBeside]);

  return { id, open: wide ? beside : sheet, wide, show, showAt, close };
}

/** The id of the button that opens and closes a panel. */
export function panelButtonId(panelId: string): string {
  return `${panelId}-button`;
}

function hasFocus(id: string): boolean {
  return document.getElementById(id)?.contains(document.activeElement) ?? false;
}
