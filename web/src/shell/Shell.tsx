import type { ReactNode } from 'react';
import { cn } from '@/ui/cn';

interface ShellProps {
  list: ReactNode;
  children: ReactNode;
  /** On a phone one of the two is shown: the list, or the open debate. */
  open: boolean;
  skip?: string;
}

export function Shell({ list, children, open, skip }: ShellProps) {
  return (
    <main className="flex h-dvh">
      {skip && (
        <button
          type="button"
          onClick={() => document.getElementById('debate')?.focus()}
          className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-surface focus:px-4 focus:py-2"
        >
          {skip}
        </button>
      )}
      <div className={cn('h-full w-full border-r bg-side md:w-80 md:shrink-0', open && 'max-md:hidden')}>
        {list}
      </div>
      <section
        id="debate"
        tabIndex={-1}
        className={cn('flex h-full min-w-0 flex-1 flex-col outline-none', !open && 'max-md:hidden')}
      >
        {children}
      </section>
    </main>
  );
}
