import { ListChecks } from 'lucide-react';
import type { IssueCounts } from '@/api/types';
import { type Translate, useT } from '@/i18n';
import { Term } from '@/ui/Term';

/** How many issues are not settled, and how many of them block. Nothing if all are settled. */
export function IssueCountLabel({ counts }: { counts: IssueCounts }) {
  const t = useT();
  const { unsettled, blocking } = counts;
  if (unsettled === 0) return null;
  return (
    <span className="inline-flex items-center gap-1 tabular-nums">
      <ListChecks aria-hidden className="size-3.5 shrink-0" />
      <span>
        {t('issues.unsettled', { n: unsettled })}
        {blocking > 0 && (
          <>
            {', '}
            <Term word={t('issues.blocking.long', { n: blocking })} means={t.explain('blocking')} />
          </>
        )}
      </span>
    </span>
  );
}

/** The same as a text; of a debate that is over only what is left, since there is nothing more to block. */
export function countsText(t: Translate, { unsettled, blocking }: IssueCounts, over: boolean): string {
  const text = t('issues.unsettled', { n: unsettled });
  return blocking > 0 && !over ? `${text}, ${t('issues.blocking.long', { n: blocking })}` : text;
}
