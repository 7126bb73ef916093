import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useT } from '@/i18n';
import { IconButton } from '@/ui/button';
import { cn } from '@/ui/cn';

const SHOWN_MS = 900;

interface ChangeStepsProps {
  /** How many changed parts there are; each has `data-changed-part`, beside this in the page. */
  count: number;
  /** Whether it is in a card. */
  inCard?: boolean;
  /** What else is said of them. */
  children?: ReactNode;
}

/** How many changes there are, and a way from one to the next; always at the top of what is scrolled. */
export function ChangeSteps({ count, inCard = false, children }: ChangeStepsProps) {
  const t = useT();
  const line = useRef<HTMLDivElement>(null);
  const shown = useRef<Element | null>(null);

  /** From the one that was shown, if that is still in view; else from what is. After the last one comes the first. */
  function go(step: 1 | -1) {
    const parts = [...(line.current?.parentElement?.querySelectorAll('[data-changed-part]') ?? [])];
    const top = line.current?.getBoundingClientRect().bottom ?? 0;
    const place = (part: Element) => part.getBoundingClientRect();
    const former = shown.current === null ? -1 : parts.indexOf(shown.current);
    const rect = former < 0 ? null : place(parts[former] as Element);
    const isInView = rect !== null && rect.bottom > top && rect.top < innerHeight;
    const below = parts.findIndex((part) => place(part).top >= top);
    const from = isInView ? former : (below < 0 ? parts.length : below) - (step === 1 ? 1 : 0);
    const next = parts.at((from + step) % parts.length);
    if (next === undefined) return;
    shown.current = next;
    next.scrollIntoView({ block: 'start' });
    const color = ['var(--color-arbitrator)', 'transparent'];
    next.animate({ outline: color.map((each) => `2px solid ${each}`) }, SHOWN_MS);
  }

  return (
    <div
      ref={line}
      className={cn(
        'sticky top-0 z-1 -mx-3 flex h-9 items-center gap-1 px-3 text-xs font-medium text-muted-foreground tabular-nums sm:-mx-8 sm:px-8',
        inCard ? 'rounded-t-xl bg-card' : 'bg-background',
      )}
    >
      <span>{t('changes.count', { n: count })}</span>
      {count > 1 && (
        <>
          <IconButton icon={ArrowUp} size="tiny" label={t('changes.previous')} onClick={() => go(-1)} />
          <IconButton icon={ArrowDown} size="tiny" label={t('changes.next')} onClick={() => go(1)} />
        </>
      )}
      {children && <span className="ml-auto flex gap-3 truncate">{children}</span>}
    </div>
  );
}
