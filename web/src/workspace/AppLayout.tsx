import type { ReactNode } from 'react';
import { cn } from '@/ui/cn';

interface AppLayoutProps {
  list: ReactNode;
  children?: ReactNode;
  /** Whether a phone shows the list. It has room for the list or for the page beside it. */
  listOpen: boolean;
  /** The text of the link that skips the list; none while the page loads. */
  skipLabel?: string;
}

export function AppLayout({ list, children, listOpen, skipLabel }: AppLayoutProps) {
  return (
    // Clipped rather than hidden, so that nothing scrolls it, and containing what is positioned, so that nothing is beyond it.
    <main className="relative flex h-dvh overflow-clip">
      {skipLabel && (
        <button
          type="button"
          onClick={() => document.getElementById('debate')?.focus()}
          className="print:hidden sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-card focus:px-4 focus:py-2"
        >
          {skipLabel}
        </button>
      )}
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
        className={cn('flex h-full min-w-0 flex-1 flex-col outline-none', listOpen && 'max-md:hidden')}
      >
        {children}
      </section>
    </main>
  );
}
