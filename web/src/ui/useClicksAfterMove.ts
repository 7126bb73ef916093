import { type MouseEvent, useLayoutEffect, useRef } from 'react';

/** Whoever clicks so soon after something else took the place under the pointer meant what was there before. */
const MOVED_MS = 700;

/**
 * For the capturing click handler of what holds buttons: ignores clicks by pointer on these just after they moved, which they did
 * if something of `places` was replaced or removed. What is added at the end moves nothing.
 */
export function useClicksAfterMove(places: readonly string[], buttons: string): (event: MouseEvent) => void {
  const former = useRef(places);
  const moved = useRef(Number.NEGATIVE_INFINITY);
  useLayoutEffect(() => {
    if (former.current.some((place, index) => places[index] !== place)) moved.current = performance.now();
    former.current = places;
  });
  return (event) => {
    // A click by keyboard has no detail, and is on what has the focus.
    if (event.detail === 0 || event.timeStamp - moved.current > MOVED_MS) return;
    if (!(event.target instanceof Element) || event.target.closest(buttons) === null) return;
    event.preventDefault();
    event.stopPropagation();
  };
}
