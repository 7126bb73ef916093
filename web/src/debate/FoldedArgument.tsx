import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { countWords } from '@/lib/sentences';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { useFold } from '@/ui/useFold';
import { ArgumentContent, unshown } from './ArgumentText';

interface FoldedArgumentProps {
  argument: Argument;
  /** What is shown until it is unfolded, where that is no more than its text. */
  beginning?: string | undefined;
  /** What it says after what is shown and folded: only when it is unfolded. */
  rest?: string;
  /** How many lines are shown until it is unfolded. */
  lines: number;
  /** Who said it, beside which the rest can be asked for. */
  children: ReactNode;
}

/** The beginning of an argument; what is cut of it, and then the rest, on demand. */
export function FoldedArgument(props: FoldedArgumentProps) {
  const { argument, beginning, rest = '', lines, children } = props;
  const t = useT();
  const { seq, content } = argument;
  const [shown, setShown] = useState<'beginning' | 'text' | 'whole'>('beginning');
  const open = shown !== 'beginning';
  const folded = beginning ?? content;
  const { wordsLeft, dots, frame, ...fold } = useFold(lines, open, unshown(folded), () => setShown('text'));
  const isCut = fold.isCut || beginning !== undefined;
  const text = { beginning: folded, text: content, whole: `${content}\n\n${rest}` }[shown];
  const offersRest = rest !== '' && shown !== 'whole' && (open || !isCut);
  const restLeft = t('argument.left', { n: countWords(rest) });
  const restButton = (className?: string) => (
    <Button
      variant="link"
      size="bare"
      aria-expanded={false}
      aria-label={`${restLeft}: ${t('argument.whole.of', { seq })}`}
      title={t('argument.whole.of', { seq })}
      className={cn(BUTTON, 'min-w-6', className)}
      onClick={() => setShown('whole')}
    >
      <ChevronDown aria-hidden />
      {/* The side's name has the room first. */}
      <span className={cn(!open && 'max-[23rem]:hidden')}>{restLeft}</span>
    </Button>
  );
  const Icon = open ? ChevronUp : ChevronDown;
  return (
    <>
      <div className="flex min-h-6 items-center gap-3 whitespace-nowrap">
        {children}
        {isCut && !open && (
          <span className="ml-auto min-w-0 truncate text-xs text-muted-foreground tabular-nums">
            {/* There is no room for it beside a longer head. */}
            <span className={cn(rest !== '' && 'sr-only')}>
              {wordsLeft > 0 && t('argument.left', { n: wordsLeft })}
            </span>
          </span>
        )}
        {(isCut || open) && (
          <Button
            variant="link"
            size="bare"
            aria-expanded={open}
            aria-label={t(open ? 'argument.less.of' : 'argument.more.of', { seq })}
            className={cn(BUTTON, open && 'ml-auto')}
            onClick={() => setShown(open ? 'beginning' : 'text')}
          >
            <Icon aria-hidden />
            {t(open ? 'argument.collapse' : 'argument.more')}
          </Button>
        )}
        {offersRest && !open && restButton('ml-auto')}
      </div>
      <div className="relative">
        <div {...frame}>
          <ArgumentContent argument={{ ...argument, content: text }} whole={open} />
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
      {offersRest && open && restButton()}
    </>
  );
}

const BUTTON = 'min-h-6 shrink-0 gap-1! rounded! text-xs [&_svg]:size-3.5!';
