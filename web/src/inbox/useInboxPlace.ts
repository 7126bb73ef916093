import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

/** Where the inbox was left: kept with its history entry, so that Back returns there. */
interface InboxPlace {
  /** The first card that was in view, and its distance from the top of the page. */
  card: string;
  top: number;
  /** The card that was active. */
  active: string | null;
  /** How many cards were shown. */
  most: number;
}

/** For so long cards that are fetched change their heights. */
const SETTLING_MS = 1_500;
const SAVE_PAUSE_MS = 150;

export function placeLeft(): InboxPlace | null {
  const place: unknown = history.state?.inbox;
  return typeof place === 'object' ? (place as InboxPlace | null) : null;
}

const cardsIn = (page: HTMLElement) => [...page.querySelectorAll<HTMLElement>('[data-card]')];
const topIn = (page: HTMLElement, card: HTMLElement) =>
  card.getBoundingClientRect().top - page.getBoundingClientRect().top;

/** Returns to the place that was left, until the person scrolls, and keeps it from then on. */
export function useInboxPlace(
  page: RefObject<HTMLElement | null>,
  active: string | null,
  most: number,
): void {
  const [left] = useState(placeLeft);

  useLayoutEffect(() => {
    const element = page.current;
    if (element === null || left === null) return;
    const restore = () => {
      const card = cardsIn(element).find(({ dataset }) => dataset.card === left.card);
      if (card) element.scrollTop += topIn(element, card) - left.top;
    };
    const observer = new ResizeObserver(restore);
    for (const child of element.children) observer.observe(child);
    const end = () => observer.disconnect();
    const timer = setTimeout(end, SETTLING_MS);
    for (const name of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
      element.addEventListener(name, end, { once: true, passive: true });
    }
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [page, left]);

  useEffect(() => {
    const element = page.current;
    if (element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = () => {
      const card = cardsIn(element).find((each) => topIn(element, each) + each.offsetHeight > 0);
      if (card?.dataset.card === undefined || location.pathname !== '/') return;
      const inbox: InboxPlace = { card: card.dataset.card, top: topIn(element, card), active, most };
      history.replaceState({ ...history.state, inbox }, '');
    };
    const saveSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(save, SAVE_PAUSE_MS);
    };
    // A link that is pressed leaves at once, and so do some keys, but none that writes something.
    const saveOnKey = ({ target }: KeyboardEvent) => {
      if (!(target instanceof Element && target.closest('input, textarea, select'))) save();
    };
    element.addEventListener('click', save, { capture: true });
    window.addEventListener('keydown', saveOnKey, { capture: true });
    element.addEventListener('scroll', saveSoon, { passive: true });
    saveSoon();
    return () => {
      clearTimeout(timer);
      element.removeEventListener('click', save, { capture: true });
      window.removeEventListener('keydown', saveOnKey, { capture: true });
      element.removeEventListener('scroll', saveSoon);
    };
  }, [page, active, most]);
}
