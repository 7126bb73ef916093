import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useT } from '@/i18n';
import { IconButton } from '@/ui/button';

const SHOWN_MS = 900;
/** Where a part comes to stand below the top of what is scrolled, as its scroll margin says. */
const PLACE_PX = 96;

interface ChangeStepsProps {
  /** How many changed parts there are; each has `data-changed-part`, beside this in the page. */
  count: number;
  /** What else is said of them. */
  children?: ReactNode;
}

/** How many changes there are, and a way from one to the next; always at the top of what is scrolled. */
export function ChangeSteps({ count, children }: ChangeStepsProps) {
  const t = useT();
  const line = useRef<HTMLDivElement>(null);
  const shown = useRef<Element | null>(null);
  /** The number of that, from 1; 0 before one was. */
  const [at, setAt] = useState(0);

  /** From the one that was shown, if that is still in view; else from what is. After the last one comes the first. */
  function go(step: 1 | -1) {
    const parts = [...(line.current?.parentElement?.querySelectorAll('[data-changed-part]') ?? [])];
    const top = line.current?.getBoundingClientRect().top ?? 0;
    const place = (part: Element) => part.getBoundingClientRect();
    const former = shown.current === null ? -1 : parts.indexOf(shown.current);
    const rect = former < 0 ? null : place(parts[former] as Element);
    const isInView = rect !== null && rect.bottom > top && rect.top < innerHeight;
    const isBelow = (part: Element) => place(part).top > top + PLACE_PX + 1;
    const isAbove = (part: Element) => place(part).top < top + PLACE_PX - 1;
    const beside = step === 1 ? parts.find(isBelow) : parts.findLast(isAbove);
    const next = isInView
      ? parts.at((former + step) % parts.length)
      : (beside ?? parts.at(step === 1 ? 0 : -1));
    if (next === undefined) return;
    shown.current = next;
    setAt(parts.indexOf(next) + 1);
    next.scrollIntoView({ block: 'start' });
    const color = ['var(--color-arbitrator)', 'transparent'];
    next.animate({ outline: color.map((each) => `2px solid ${each}`) }, SHOWN_MS);
  }

  return (
    <div
      ref={line}
      className="sticky top-0 z-1 -mx-3 flex h-9 items-center gap-1 rounded-t-xl bg-(--surface,var(--color-background)) px-3 text-xs font-medium text-muted-foreground tabular-nums sm:-mx-8 sm:px-8"
    >
      <span>{t('changes.count', { n: count })}</span>
      {count > 1 && (
        <>
          <IconButton icon={ArrowUp} size="tiny" label={t('changes.previous')} onClick={() => go(-1)} />
          <IconButton icon={ArrowDown} size="tiny" label={t('changes.next')} onClick={() => go(1)} />
          <span aria-live="polite">{at > 0 && `${at} / ${count}`}</span>
        </>
      )}
      {children && <span className="ml-auto flex gap-3 truncate">{children}</span>}
    </div>
  );
}
