import { type MouseEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { cn } from '@/ui/cn';

interface StickyBarProps {
  /** Whether it is in a card of the inbox. */
  inCard: boolean;
  /** Whether the ruling waits to be sent: what is shown where it can be taken back is not shown twice. */
  waits: boolean;
  children: ReactNode;
}

const CONTROLS = 'button, a, input, select, textarea';

/**
 * Whether a click in the form was on what has no use of its own in the bar, such as a text. Not where a text was selected, nor by a
 * finger, whose keyboard would cover the page.
 */
export function isIdleInBar({ target, nativeEvent }: MouseEvent): boolean {
  if (nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch') return false;
  const inBar = target instanceof Element && target.closest('[data-ruling-buttons]') !== null;
  return inBar && target.closest(CONTROLS) === null && getSelection()?.isCollapsed !== false;
}

const OTHER_FIELD = 'textarea:not([data-ruling-box])';
/** Longer than a touch takes from its beginning to its click. */
const TOUCH_MS = 300;

/**
 * Whether another field of the form than that of the bar is written in. For a moment after that, too: what ends it is often a touch
 * on a button beside the field, and the bar must not come between the finger and the button before the click.
 */
function useWritingElsewhere(bar: RefObject<HTMLElement | null>): boolean {
  const [writing, setWriting] = useState(false);
  useEffect(() => {
    const form = bar.current?.closest('form');
    if (!form) return;
    let ends: number | undefined;
    function onFocus({ type, target }: FocusEvent) {
      clearTimeout(ends);
      if (type === 'focusin' && target instanceof Element && target.matches(OTHER_FIELD)) setWriting(true);
      else ends = window.setTimeout(() => setWriting(false), TOUCH_MS);
    }
    form.addEventListener('focusin', onFocus);
    form.addEventListener('focusout', onFocus);
    return () => {
      clearTimeout(ends);
      form.removeEventListener('focusin', onFocus);
      form.removeEventListener('focusout', onFocus);
    };
  }, [bar]);
  return writing;
}

/** What is not shown on a phone while another field is written in: its keyboard leaves room only for what is missing, the box and the buttons, which stay where they are. */
export const AWAY_WHILE_WRITING = 'max-sm:[@media(max-height:40rem)]:group-data-[brief=true]/bar:hidden';

/** At the bottom of the page, whatever the length of what is above it. Its shadow tells that something is under it. */
export function StickyBar({ inCard, waits, children }: StickyBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [covers, setCovers] = useState(false);
  const writingElsewhere = useWritingElsewhere(bar);
  useEffect(() => {
    if (end.current === null) return;
    const observer = new IntersectionObserver(([entry]) => setCovers(entry?.isIntersecting === false));
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  // What gets the focus is scrolled above it, however high it is.
  useEffect(() => {
    const element = bar.current;
    const page = element?.closest<HTMLElement>('.above-bar');
    if (!element || !page) return;
    const observer = new ResizeObserver(([entry]) => {
      const height = `${entry?.borderBoxSize[0]?.blockSize ?? 0}px`;
      page.style.setProperty('--page-bar-height', height);
      element.style.setProperty('--bar-height', height);
      // What was just chosen, or is written in, stays in view when the bar tells what it leads to.
      const focused = document.activeElement;
      if (
        focused?.matches('input:checked, textarea') &&
        !element.contains(focused) &&
        page.contains(focused)
      ) {
        (focused.closest('[data-new-issue]') ?? focused.closest('label'))?.scrollIntoView({
          block: 'nearest',
        });
      }
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <div
        ref={bar}
        data-ruling-buttons
        data-covers={covers}
        data-brief={writingElsewhere}
        className={cn(
          'group/bar sticky bottom-0 z-10 mt-auto grid grid-cols-1 gap-1.5 border-t py-2 max-sm:gap-1 max-sm:py-1 transition-shadow [@media(max-height:32rem)]:static [@media(max-height:32rem)]:shadow-none!',
          // It keeps its room, so that nothing moves when it comes back.
          waits && 'invisible',
          covers && 'shadow-[0_-10px_14px_-10px_rgb(0_0_0/0.25)]',
          'bg-(--bar)',
          inCard
            ? '-mx-4 px-4 [--bar:var(--color-card)] sm:-mx-5 sm:px-5'
            : '-mx-3 px-3 [--bar:var(--color-background)] sm:-mx-6 sm:px-6',
        )}
      >
        {children}
      </div>
      {/* Above the lower edge of the bar, whatever the gap. */}
      <div ref={end} aria-hidden className="-mt-2.25 h-px" />
    </>
  );
}
