import { Lock, ScrollText } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { RECORD_SEARCH } from '@/lib/recordRoute';
import { debatePath } from '@/lib/router';
import { Link } from '@/ui/Link';

const RecordSummary = lazy(() => import('@/record/RecordSummary'));

/** Shown below a closed debate: what was decided, and the way to its record. */
export function ClosedNotice({ debate }: { debate: Debate }) {
  const t = useT();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <Lock aria-hidden className="size-4 text-muted-foreground" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-muted-foreground">
          <strong className="font-semibold text-foreground">{t('closed.title')}.</strong> {t('closed.hint')}
        </p>
        <Suspense>
          <RecordSummary debateId={debate.id} lastSeq={debate.last_seq} />
        </Suspense>
      </div>
      <Link
        href={`${debatePath(debate.id)}${RECORD_SEARCH}`}
        className="inline-flex h-10 items-center gap-2 rounded-lg bg-primary px-4 font-medium text-primary-foreground hover:bg-primary/90"
      >
        <ScrollText aria-hidden className="size-4" />
        {t('record.open')}
      </Link>
    </div>
  );
}
