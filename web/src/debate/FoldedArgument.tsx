import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { ArgumentContent } from './ArgumentText';

/** So many lines are not worth a fold. */
const FEW_LINES = 3;

interface FoldedArgumentProps {
  argument: Argument;
  /** How many lines are shown until it is unfolded. */
  lines: number;
  /** Who said it, beside which the rest can be asked for. */
  children: ReactNode;
}

/** The first lines of an argument, and the rest on demand. */
export function FoldedArgument({ argument, lines, children }: FoldedArgumentProps) {
  const t = useT();
  const { seq } = argument;
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const [rest, setRest] = useState<'none' | 'few' | 'much'>('none');
  const cut = rest === 'much';
  useEffect(() => {
    const element = frame.current;
    if (element === null || open) return;
    const measure = () => {
      const line = Number.parseFloat(getComputedStyle(element).lineHeight);
      const hidden = element.scrollHeight - lines * line;
      const few = Math.min(FEW_LINES, lines / 2) * line;
      setRest(hidden <= 4 ? 'none' : hidden <= few ? 'few' : 'much');
    };
    const observer = new ResizeObserver(measure);
    for (const observed of [element, ...element.children]) observer.observe(observed);
    return () => observer.disconnect();
  }, [open, lines]);
  const Icon = open ? ChevronUp : ChevronDown;
  return (
    <>
      <div className="flex min-h-6 items-center gap-3">
        {children}
        {(cut || open) && (
          <Button
            variant="link"
            size="bare"
            aria-expanded={open}
            aria-label={t(open ? 'argument.less.of' : 'argument.more.of', { seq })}
            className="ml-auto min-h-6 gap-1! rounded! text-xs [&_svg]:size-3.5!"
            onClick={() => setOpen(!open)}
          >
            <Icon aria-hidden />
            {t(open ? 'argument.collapse' : 'argument.more')}
          </Button>
        )}
      </div>
      <div
        ref={frame}
        style={open || rest === 'few' ? undefined : { maxHeight: `${lines}lh` }}
        className={cn(
          'leading-[1.65]',
          !open && 'overflow-hidden',
          !open && cut && 'mask-b-from-[calc(100%-1.2lh)]',
        )}
      >
        <ArgumentContent argument={argument} whole={open} />
      </div>
    </>
  );
}
