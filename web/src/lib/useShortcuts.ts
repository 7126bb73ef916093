import { useEffect, useRef } from 'react';

type Shortcuts = Record<string, () => void>;

const TEXT_FIELDS = 'input:not([type=radio]), textarea, select, [contenteditable], [role="menu"]';
const FIELDS_AND_DIALOGS = `${TEXT_FIELDS}, [role="dialog"], [role="alertdialog"]`;

/** Between two letters of somebody who types. */
const TYPING_MS = 400;
/** They are held for what is pressed with them. */
const HELD = ['Shift', 'AltGraph', 'CapsLock'];
/** The key that was pressed last, and the one before it: only then it is known whether anything was done with that. */
let last: KeyboardEvent | null = null;
let former: KeyboardEvent | null = null;

/** Whether a key goes on with a text that is typed where no field has the focus, and is therefore no shortcut. */
export function isWithinText(event: KeyboardEvent): boolean {
  // Several ask about one key.
  if (event !== last && !HELD.includes(event.key)) [former, last] = [last, event];
  if (former === null || former.key.length > 1 || former.defaultPrevented) return false;
  return event.timeStamp - former.timeStamp < TYPING_MS;
}

/**
 * Single-key shortcuts. They are off in text fields, and within a text that is typed outside one; those of the page are also off while
 * a dialog is open.
 */
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
      if (isWithinText(event)) return;
      const run = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (run === undefined) return;
      event.preventDefault();
      run();
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [scope]);
}
