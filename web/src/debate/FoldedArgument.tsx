import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { useFold } from '@/ui/useFold';
import { ArgumentContent, unshown } from './ArgumentText';

interface FoldedArgumentProps {
  argument: Argument;
  /** How many lines are shown until it is unfolded. */
  lines: number;
  /** Who said it. */
  children: ReactNode;
}

/** The beginning of an argument; what is cut of it on demand. */
export function FoldedArgument({ argument, lines, children }: FoldedArgumentProps) {
  const t = useT();
  const { seq, content } = argument;
  const [open, setOpen] = useState(false);
  const { isCut, wordsLeft, dots, frame } = useFold(lines, open, unshown(content), () => setOpen(true));
  const Icon = open ? ChevronUp : ChevronDown;
  return (
    <>
      <div className="flex min-h-6 items-center gap-3 whitespace-nowrap">
        {children}
        {isCut && !open && (
          <span className="ml-auto min-w-0 truncate text-xs text-muted-foreground tabular-nums">
            {wordsLeft > 0 && t('argument.left', { n: wordsLeft })}
          </span>
        )}
        {(isCut || open) && (
          <Button
            variant="link"
            size="bare"
            aria-expanded={open}
            aria-label={t(open ? 'argument.less.of' : 'argument.more.of', { seq })}
            className={cn('min-h-6 shrink-0 gap-1! rounded! text-xs [&_svg]:size-3.5!', open && 'ml-auto')}
            onClick={() => setOpen(!open)}
          >
            <Icon aria-hidden />
            {t(open ? 'argument.collapse' : 'argument.more')}
          </Button>
        )}
      </div>
      <div className="relative">
        <div {...frame}>
          <ArgumentContent argument={argument} whole={open} />
        </div>
        {dots !== null && (
          <span
            aria-hidden
            style={dots}
            className="absolute pl-0.5 leading-(--prose-leading) text-muted-foreground"
          >
            …
          </span>
        )}
      </div>
    </>
  );
}
