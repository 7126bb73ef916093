import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { createQueryClient } from '@/documents/queryClient';
import { useT } from '@/i18n';
import { THE_PLAN } from '@/lib/planRoute';
import { usePlanLinks } from '@/ui/planLinks';
import { duration } from './duration';
import { OutcomeBadge } from './OutcomeBadge';
import { useRecord } from './useRecord';

interface RecordSummaryProps {
  debateId: string;
  lastSeq: number;
}

/** The record in one line. */
export default function RecordSummary(props: RecordSummaryProps) {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <Summary {...props} />
    </QueryClientProvider>
  );
}

function Summary({ debateId, lastSeq }: RecordSummaryProps) {
  const t = useT();
  const show = usePlanLinks();
  const { data } = useRecord(debateId, lastSeq);
  if (data === undefined) return null;
  const { outcome, plan, statistics } = data.record;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted-foreground tabular-nums">
      <OutcomeBadge outcome={outcome} />
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
        {t('record.figures.rounds')}: {statistics.rounds}
      </span>
      <span>{duration(statistics.seconds)}</span>
    </p>
  );
}
