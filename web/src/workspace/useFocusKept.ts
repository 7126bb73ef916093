import { useEffect } from 'react';

/** What was pressed may go only when the server has answered. */
const MOST_FRAMES = 20;

/** When they are closed they return the focus themselves, some time later. */
const OVERLAYS = '[role=dialog], [role=alertdialog], [role=menu]';

/** Whether an element that had the focus lost it by being removed, or hidden as the list of a phone. */
const isLost = (element: Element | undefined) =>
  element?.checkVisibility() === false && document.activeElement === document.body;

/**
 * What is pressed may be removed by that, as a link with its page, and what has the focus by an answer of the server: keyboard and screen
 * reader go on from the nearest region around it that is still there, else from the page.
 */
export function useFocusKept(): void {
  useEffect(() => {
    /** The element that had the focus last, and what is around it. */
    let path: Element[] = [];
    let frame = 0;
    function remember({ target }: FocusEvent) {
      path = [];
      for (let at = target as Element | null; at !== null; at = at.parentElement) path.push(at);
    }
    function check(frames: number) {
      const returned = path.some((element) => !element.isConnected && element.matches(OVERLAYS));
      if (isLost(path[0]) && (frames === 0 || !returned)) {
        const region = path.find((element) => element.checkVisibility() && element.matches('[tabindex]'));
        ((region as HTMLElement | undefined) ?? document.getElementById('debate'))?.focus({
          preventScroll: true,
        });
      } else if (frames > 0) frame = requestAnimationFrame(() => check(frames - 1));
    }
    function checkSoon() {
      cancelAnimationFrame(frame);
      // What takes the focus by itself has it in the next frame.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => check(MOST_FRAMES));
      });
    }
    const subscription = new AbortController();
    const options = { signal: subscription.signal, capture: true };
    document.addEventListener('focusin', remember, options);
    for (const name of ['click', 'keydown', 'popstate']) window.addEventListener(name, checkSoon, options);
    const removals = new MutationObserver(() => {
      if (path[0]?.isConnected === false && document.activeElement === document.body) checkSoon();
    });
    removals.observe(document.body, { childList: true, subtree: true });
    return () => {
      subscription.abort();
      removals.disconnect();
      cancelAnimationFrame(frame);
    };
  }, []);
}
