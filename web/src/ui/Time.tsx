import { useT } from '@/i18n';
import { useNow } from '@/lib/useNow';
import { cn } from './cn';

const CLOCK_MS = 30_000;

/** How long ago a moment was; its tooltip has the whole date. */
export function Time({ at, className }: { at: string; className?: string }) {
  const t = useT();
  const now = useNow(CLOCK_MS);
  return (
    <time dateTime={at} title={t.dateTime(at)} className={cn('tabular-nums', className)}>
      {t.ago(at, now)}
    </time>
  );
}
