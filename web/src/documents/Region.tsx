import { type ReactNode, useEffect, useRef } from 'react';

interface RegionProps {
  label: string;
  /** Where one begins to read anew. */
  scope: string;
  busy?: boolean;
  children: ReactNode;
}

/** What scrolls in the panel. It has the focus first, so that the keys scroll it. */
export function Region({ label, scope, busy = false, children }: RegionProps) {
  const region = useRef<HTMLElement>(null);
  useEffect(() => void region.current?.focus({ preventScroll: true }), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is read from its beginning
  useEffect(() => void region.current?.scrollTo(0, 0), [scope]);
  return (
    <section
      ref={region}
      aria-label={label}
      aria-busy={busy}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="flex min-h-0 flex-1 flex-col overflow-y-auto outline-offset-[-2px]"
    >
      {children}
    </section>
  );
}
