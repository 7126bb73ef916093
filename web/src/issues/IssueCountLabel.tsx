import { ListChecks } from 'lucide-react';
import type { IssueCounts } from '@/api/types';
import { type Translate, useT } from '@/i18n';
import { cn } from '@/ui/cn';

/** How many issues are not settled, red if any of them is blocking. Nothing if all are settled. */
export function IssueCountLabel({ counts }: { counts: IssueCounts }) {
  const t = useT();
  const { unsettled } = counts;
  if (unsettled === 0) return null;
  const label = countsText(t, counts);
  return (
    <span
      title={label}
      className={cn(
        'inline-flex shrink-0 items-center gap-1 tabular-nums',
        counts.blocking > 0 && 'font-medium text-destructive',
      )}
    >
      <ListChecks aria-hidden className="size-3.5" />
      <span aria-hidden>{unsettled}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}

export function countsText(t: Translate, { unsettled, blocking }: IssueCounts): string {
  const text = t('issues.unsettled', { n: unsettled });
  return blocking > 0 ? `${text}, ${t('issues.blocking.long', { n: blocking })}` : text;
}
