import { ListChecks } from 'lucide-react';
import type { IssueCounts } from '@/api/types';
import { type Translate, useT } from '@/i18n';

/** How many issues are not settled, and how many of them block. Nothing if all are settled. */
export function IssueCountLabel({ counts }: { counts: IssueCounts }) {
  const t = useT();
  const { unsettled } = counts;
  if (unsettled === 0) return null;
  const label = countsText(t, counts);
  return (
    <span title={label} className="inline-flex shrink-0 items-center gap-1 tabular-nums">
      <ListChecks aria-hidden className="size-3.5" />
      {label}
    </span>
  );
}

export function countsText(t: Translate, { unsettled, blocking }: IssueCounts): string {
  const text = t('issues.unsettled', { n: unsettled });
  return blocking > 0 ? `${text}, ${t('issues.blocking.long', { n: blocking })}` : text;
}
