import { useEffect, useRef } from 'react';

type Shortcuts = Record<string, () => void>;

const TEXT_FIELDS = 'input:not([type=radio]), textarea, select, [contenteditable], [role="menu"]';
const FIELDS_AND_DIALOGS = `${TEXT_FIELDS}, [role="dialog"], [role="alertdialog"]`;

/** Single-key shortcuts. They are off in text fields; those of the page are also off while a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts, scope: 'page' | 'dialog' = 'page'): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
        return;
      const without = scope === 'page' ? FIELDS_AND_DIALOGS : TEXT_FIELDS;
      if (event.target instanceof Element && event.target.closest(without)) return;
      const run = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (run === undefined) return;
      event.preventDefault();
      run();
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [scope]);
}
