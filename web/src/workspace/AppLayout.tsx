import type { ReactNode } from 'react';
import { cn } from '@/ui/cn';

interface AppLayoutProps {
  list: ReactNode;
  children?: ReactNode;
  /** Whether a phone shows the list. It has room for the list or for the page beside it. */
  listOpen: boolean;
  /** What skips the list, and what skips the page above what may be done, with their texts; none while the page loads. */
  skips?: readonly [Skip, Skip];
}

type Skip = readonly [text: string, skip: () => void];

export function AppLayout({ list, children, listOpen, skips }: AppLayoutProps) {
  return (
    // Clipped rather than hidden, so that nothing scrolls it, and containing what is positioned, so that nothing is beyond it.
    <main className="relative flex h-dvh overflow-clip">
      {skips && <SkipButton skip={skips[0]} />}
      <div
        className={cn(
          'debate-list h-full w-full border-r bg-sidebar md:w-80 md:shrink-0 print:hidden',
          !listOpen && 'max-md:hidden',
        )}
      >
        {list}
      </div>
      <section
        id="debate"
        tabIndex={-1}
        className={cn(
          'flex h-full min-w-0 flex-1 flex-col low:overflow-y-auto outline-none',
          listOpen && 'max-md:hidden',
        )}
      >
        {skips && <SkipButton skip={skips[1]} />}
        {children}
      </section>
    </main>
  );
}

/** Seen only by who comes to it with the keyboard. */
function SkipButton({ skip: [text, skip] }: { skip: Skip }) {
  return (
    <button
      type="button"
      onClick={skip}
      className="print:hidden sr-only focus:not-sr-only focus:absolute! focus:top-2 focus:z-50 focus:m-0 focus:rounded-lg focus:bg-card focus:px-4 focus:py-2"
    >
      {text}
    </button>
  );
}
