import { Lock, ScrollText } from 'lucide-react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { THE_PLAN } from '@/lib/planRoute';
import { RECORD_SEARCH } from '@/lib/recordRoute';
import { debatePath } from '@/lib/router';
import { useRecord } from '@/record/useRecord';
import { Badge } from '@/ui/badge';
import { Link } from '@/ui/Link';
import { usePlanLinks } from '@/ui/planLinks';

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
        <RecordSummary debateId={debate.id} lastSeq={debate.last_seq} />
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

/** The record in one line. */
function RecordSummary({ debateId, lastSeq }: { debateId: string; lastSeq: number }) {
  const t = useT();
  const show = usePlanLinks();
  const { data } = useRecord(debateId, lastSeq);
  if (data === undefined) return null;
  const { outcome, plan, statistics } = data.record;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted-foreground tabular-nums">
      <Badge tone={outcome === 'agreed' ? 'success' : 'quiet'}>{t.label('outcome', outcome)}</Badge>
      {plan !== null && (
        <button
          type="button"
          onClick={() => show?.({ ...THE_PLAN, id: plan.document_id, version: plan.version, view: 'text' })}
          className="rounded underline decoration-dotted underline-offset-3 hover:text-foreground"
        >
          {t('record.plan', { n: plan.version })}
        </button>
      )}
      <span>
        {t('start.rounds')}: {statistics.rounds}
      </span>
      <span>{t.duration(statistics.seconds * 1000)}</span>
    </p>
  );
}
