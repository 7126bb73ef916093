import { type ReactNode, useEffect, useRef } from 'react';

interface ScrollRegionProps {
  label: string;
  /** Scrolls to the top when it changes. */
  contentKey: string;
  busy?: boolean;
  children: ReactNode;
}

/** The scrollable part of the drawer, or of a page. It gets the initial focus, so that the keyboard scrolls it. */
export function ScrollRegion({ label, contentKey, busy = false, children }: ScrollRegionProps) {
  const region = useRef<HTMLElement>(null);
  useEffect(() => void region.current?.focus({ preventScroll: true }), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new content
  useEffect(() => void region.current?.scrollTo(0, 0), [contentKey]);
  return (
    <section
      ref={region}
      aria-label={label}
      aria-busy={busy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      className="flex min-h-0 flex-1 flex-col overflow-y-auto outline-offset-[-2px] low:h-[75dvh] low:flex-none print:outline-none"
    >
      {children}
    </section>
  );
}
