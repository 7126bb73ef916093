import { type RefObject, useLayoutEffect, useState } from 'react';

/** Whether an element is at least so wide, in rem: what stands beside it narrows it, which the width of the screen does not tell. */
export function useRoom(ref: RefObject<HTMLElement | null>, rem: number): boolean {
  const [room, setRoom] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = () => {
      const letter = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setRoom(element.clientWidth >= rem * letter);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, rem]);
  return room;
}
