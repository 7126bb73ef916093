import type { ReactNode } from 'react';
import { useT } from '@/i18n';
import { cn } from './cn';

/** A moment; its tooltip has the whole date. */
export function Time({ at, className, children }: { at: string; className?: string; children?: ReactNode }) {
  const t = useT();
  return (
    <time dateTime={at} title={t.dateTime(at)} className={cn('tabular-nums', className)}>
      {children ?? t.time(at)}
    </time>
  );
}
