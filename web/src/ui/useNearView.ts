import { type RefObject, useEffect, useState } from 'react';

/** Whether it has been in view, or within a screen of that, since it is shown. `scroller` is the selector of what is scrolled. */
export function useNearView(element: RefObject<HTMLElement | null>, scroller: string): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (element.current === null || near) return;
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { root: element.current.closest(scroller), rootMargin: '100% 0px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, scroller, near]);
  return near;
}
