import { useRef, useState } from 'react';
import { cn } from './cn';
import { lazyComponent } from './lazyComponent';

const TermMeaning = lazyComponent(() => import('./TermMeaning'));

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
  const button = useRef<HTMLButtonElement>(null);
  if (means === undefined) return <span className={className}>{word}</span>;
  return (
    <>
      <button
        ref={button}
        type="button"
        data-term
        tabIndex={tabIndex}
        aria-description={means}
        className={cn(
          // Above a link that covers the whole card.
          'relative z-1 cursor-help rounded underline decoration-dotted decoration-1 underline-offset-3',
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
      {open && (
        <TermMeaning anchor={button} onClose={() => setOpen(false)}>
          {means}
        </TermMeaning>
      )}
    </>
  );
}
