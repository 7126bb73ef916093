import { useEffect, useRef } from 'react';

type Shortcuts = Record<string, () => void>;

const TYPING = 'input, textarea, select, [contenteditable], [role="menu"]';
const BUSY = `${TYPING}, [role="dialog"], [role="alertdialog"]`;

/** Single keys, while nobody types and no dialog is open; those of a dialog work in it. */
export function useShortcuts(shortcuts: Shortcuts, place: 'page' | 'dialog' = 'page'): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
        return;
      if (event.target instanceof Element && event.target.closest(place === 'page' ? BUSY : TYPING)) return;
      const run = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (run === undefined) return;
      event.preventDefault();
      run();
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [place]);
}
