import { Search } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from './cn';

/** A field for a search; `children` stand at its end. */
export function SearchField({
  label,
  className,
  children,
  ...props
}: ComponentProps<'input'> & { label: string }) {
  return (
    <div className="relative">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
      />
      <input
        type="text"
        inputMode="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        className={cn(
          'h-10 w-full rounded-lg border border-border pr-9 pl-9 text-sm placeholder:text-muted-foreground focus-visible:outline-offset-0',
          className,
        )}
        {...props}
      />
      {children}
    </div>
  );
}
