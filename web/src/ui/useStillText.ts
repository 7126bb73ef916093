import { type RefObject, useLayoutEffect } from 'react';

/** Keeps the text of a scrolled page where it is when a notice above the page comes, changes or goes. */
export function useStillText(page: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = page.current;
    if (element === null) return;
    let top = element.getBoundingClientRect().top;
    const observer = new ResizeObserver(() => {
      const now = element.getBoundingClientRect().top;
      element.scrollTop += now - top;
      top = now;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [page]);
}
