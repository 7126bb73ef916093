import { type RefObject, useLayoutEffect } from 'react';

/** Keeps the text of a scrolled page where it is when a notice above the page comes, changes or goes. */
export function useStillText(page: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = page.current;
    if (element === null) return;
    // It is first called when the page has been laid out: to ask before would lay it out once more.
    let top: number | null = null;
    const observer = new ResizeObserver(() => {
      const now = element.getBoundingClientRect().top;
      element.scrollTop += now - (top ?? now);
      top = now;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [page]);
}
