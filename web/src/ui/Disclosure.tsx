import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cn } from './cn';

interface DisclosureProps {
  title: ReactNode;
  open?: boolean;
  className?: string;
  children: () => ReactNode;
}

/** Something that is read on demand: a line that looks like what it is, a control. */
export function Disclosure({ title, open: initially = false, className, children }: DisclosureProps) {
  const [open, setOpen] = useState(initially);
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className={cn('text-sm', className)}
    >
      <summary
        dir="auto"
        className="-mx-1.5 flex min-h-8 w-fit max-w-full cursor-pointer list-none items-start gap-1.5 rounded-lg px-1.5 py-1.5 font-medium wrap-anywhere hover:bg-accent"
      >
        <ChevronRight
          aria-hidden
          className={cn('mt-0.5 size-4 shrink-0 text-muted-foreground', open && 'rotate-90')}
        />
        <span className="min-w-0">{title}</span>
      </summary>
      {open && children()}
    </details>
  );
}

/** What is unfolded, below the line of its disclosure. */
export const UNFOLDED = 'mt-1 mb-1.5 ml-2 border-l-2 pl-4 text-[13px]';
