import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useT } from '@/i18n';
import { cn } from '@/ui/cn';

interface OlderRulingsProps {
  /** How many there are. */
  n: number;
  /** Their bars. */
  children: ReactNode;
}

/** The rulings on their way that would take the page from what is read, behind one line. */
export function OlderRulings({ n, children }: OlderRulingsProps) {
  const t = useT();
  const [open, setOpen] = useState(false);
  return (
    // They open above the line, which stays under the pointer.
    <div className="flex flex-col-reverse">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex items-center gap-2 rounded-lg px-3.5 py-1.5 text-start text-muted-foreground hover:bg-accent max-sm:min-h-11"
      >
        <ChevronDown aria-hidden className={cn('size-4 shrink-0', !open && 'rotate-180')} />
        {t('unsent.more', { n })}
      </button>
      {open && (
        <ul className="grid max-h-[30dvh] grid-cols-1 divide-y overflow-y-auto border-b">{children}</ul>
      )}
    </div>
  );
}
