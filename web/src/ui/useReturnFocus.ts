import { useLayoutEffect, useRef } from 'react';

/**
 * Returns the focus to where it was when a dialog is closed: what opened it is no trigger that Radix knows. The result is for
 * `onCloseAutoFocus`. Where what closed the dialog has given the focus to something else, that keeps it.
 */
export function useReturnFocus(): (event: Event) => void {
  const before = useRef<Element | null>(null);
  // By now what stood in its place while it was loaded has returned the focus, and the content has not yet taken it.
  useLayoutEffect(() => {
    before.current = document.activeElement;
  }, []);
  return (event) => {
    event.preventDefault();
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && before.current instanceof HTMLElement) before.current.focus();
  };
}
