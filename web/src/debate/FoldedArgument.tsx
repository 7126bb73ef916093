import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { countWords } from '@/lib/sentences';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { FOLD_LEADING, useFold } from '@/ui/useFold';
import { ArgumentContent, unshown } from './ArgumentText';

interface FoldedArgumentProps {
  argument: Argument;
  /** What it says after what is shown and folded: only when it is unfolded. */
  rest?: string;
  /** How many lines are shown until it is unfolded. */
  lines: number;
  /** Who said it, beside which the rest can be asked for. */
  children: ReactNode;
}

/** The beginning of an argument, and the rest on demand. */
export function FoldedArgument({ argument, rest = '', lines, children }: FoldedArgumentProps) {
  const t = useT();
  const { seq, content } = argument;
  const [open, setOpen] = useState(false);
  const { isCut, wordsLeft, dots, frame } = useFold(lines, open, unshown(content), () => setOpen(true));
  const n = wordsLeft + countWords(rest);
  const more = isCut ? 'argument.more' : 'argument.whole';
  const Icon = open ? ChevronUp : ChevronDown;
  return (
    <>
      <div className="flex min-h-6 items-center gap-3">
        {children}
        {isCut && !open && (
          <span className="ml-auto text-xs text-muted-foreground tabular-nums">
            {n > 0 && t('argument.left', { n })}
          </span>
        )}
        {(isCut || open || rest !== '') && (
          <Button
            variant="link"
            size="bare"
            aria-expanded={open}
            aria-label={t(open ? 'argument.less.of' : 'argument.more.of', { seq })}
            className={cn('min-h-6 gap-1! rounded! text-xs [&_svg]:size-3.5!', (open || !isCut) && 'ml-auto')}
            onClick={() => setOpen(!open)}
          >
            <Icon aria-hidden />
            {t(open ? 'argument.collapse' : more)}
          </Button>
        )}
      </div>
      <div className="relative">
        <div {...frame}>
          <ArgumentContent
            argument={open && rest !== '' ? { ...argument, content: `${content}\n\n${rest}` } : argument}
            whole={open}
          />
        </div>
        {dots !== null && (
          <span
            aria-hidden
            style={dots}
            className={cn('absolute pl-0.5 text-muted-foreground', FOLD_LEADING)}
          >
            …
          </span>
        )}
      </div>
    </>
  );
}
