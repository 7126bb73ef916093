import { Popover } from 'radix-ui';
import { useState } from 'react';
import { cn } from './cn';

interface TermProps {
  word: string;
  /** What it means, in a sentence; without it the word is plain text. */
  means: string | undefined;
  className?: string;
  tabIndex?: number | undefined;
}

/** A word of the trade, which says what it means where the pointer or the focus is on it, and on a tap. */
export function Term({ word, means, className, tabIndex }: TermProps) {
  const [open, setOpen] = useState(false);
  if (means === undefined) return <span className={className}>{word}</span>;
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Anchor asChild>
        <button
          type="button"
          data-term
          tabIndex={tabIndex}
          aria-description={means}
          className={cn(
            'relative cursor-help rounded underline decoration-dotted decoration-1 underline-offset-3',
            className,
          )}
          onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setOpen(true)}
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setOpen(false)}
          onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && setOpen(true)}
          onBlur={() => setOpen(false)}
          onClick={(event) => {
            event.stopPropagation();
            setOpen(true);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !open) return;
            event.stopPropagation();
            setOpen(false);
          }}
        >
          {word}
        </button>
      </Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
          role="tooltip"
          side="top"
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="pointer-events-none z-50 max-w-72 rounded-lg border bg-card px-3 py-2 text-[13px] leading-snug font-normal tracking-normal whitespace-normal text-foreground shadow-raised"
        >
          {means}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
