import type { PointerEvent } from 'react';
import { type Translate, useT } from '@/i18n';
import { useNow } from '@/lib/useNow';
import { cn } from './cn';

const CLOCK_MS = 30_000;

/** How long ago a moment was; its tooltip has the whole date. */
export function Time({ at, className }: { at: string; className?: string }) {
  const t = useT();
  const now = useNow(CLOCK_MS);
  return (
    <time dateTime={at} {...dateTip(t, at)} className={cn('tabular-nums', className)}>
      {t.ago(at, now)}
    </time>
  );
}

/** The whole date as a tooltip. It is written when a pointer comes: a page with many would take longer to appear. */
export function dateTip(t: Translate, at: string) {
  return {
    onPointerEnter({ currentTarget }: PointerEvent<HTMLElement>) {
      currentTarget.title = t.dateTime(at);
    },
  };
}
