import { useEffect, useLayoutEffect, useRef } from 'react';

/** A hand that presses twice moves so far at most. */
const STILL_PX = 12;
/** After so long it was seen what is there now. */
const SEEN_MS = 2000;

interface Place {
  x: number;
  y: number;
  /** What could be pressed there. */
  control: Element | null;
}

/** Whether a click is on what came under the pointer by itself, since the pointer has not moved from `before`. */
export function isUnaimed(before: Place, click: Place): boolean {
  const moved = Math.hypot(click.x - before.x, click.y - before.y) > STILL_PX;
  return !moved && click.control !== before.control;
}

/**
 * Ignores clicks by pointer on these controls where they moved or appeared under it, which they may have since `shown` is another text:
 * until the pointer has moved, or time enough to see what is there now has passed.
 */
export function useAimedClicks(shown: string, controls: string): void {
  const last = useRef<Place | null>(null);
  const changed = useRef<(Place & { at: number }) | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each change
  useLayoutEffect(() => {
    changed.current = last.current && { ...last.current, at: performance.now() };
  }, [shown]);

  useEffect(() => {
    const placeOf = ({ clientX: x, clientY: y, target }: MouseEvent): Place => ({
      x,
      y,
      control: target instanceof Element ? target.closest(controls) : null,
    });
    function isIgnored(event: MouseEvent): boolean {
      const { current } = changed;
      if (current === null || performance.now() - current.at > SEEN_MS) return false;
      return isUnaimed(current, placeOf(event));
    }
    function onPoint(event: PointerEvent) {
      const { current } = changed;
      // Browsers tell of a move, too, where only the page has moved.
      if (event.clientX === last.current?.x && event.clientY === last.current.y) return;
      if (isIgnored(event)) return;
      last.current = placeOf(event);
      const { x, y } = last.current;
      if (current !== null && Math.hypot(x - current.x, y - current.y) > STILL_PX) changed.current = null;
    }
    function onClick(event: MouseEvent) {
      // A click by keyboard has no detail, and is on what has the focus.
      if (event.detail === 0 || placeOf(event).control === null || !isIgnored(event)) return;
      event.preventDefault();
      event.stopPropagation();
    }
    document.addEventListener('pointermove', onPoint, true);
    document.addEventListener('pointerdown', onPoint, true);
    document.addEventListener('click', onClick, true);
    return () => {
      document.removeEventListener('pointermove', onPoint, true);
      document.removeEventListener('pointerdown', onPoint, true);
      document.removeEventListener('click', onClick, true);
    };
  }, [controls]);
}
