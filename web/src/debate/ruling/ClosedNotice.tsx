import { Lock, ScrollText } from 'lucide-react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { statusesIn } from '@/issues/ledger';
import { recordPath } from '@/lib/router';
import { useRecord } from '@/record/useRecord';
import { ArgumentLink } from '@/ui/ArgumentLink';
import { Badge } from '@/ui/badge';
import { ButtonLink } from '@/ui/button';
import { CitedDocumentLink } from '@/ui/CitedDocumentLink';
import { InlineText } from '@/ui/InlineText';
import { Term } from '@/ui/Term';

/** What came of a closed debate: its decision, its issues, its plan, and the way to its record. */
export function ClosedNotice({ debate }: { debate: Debate }) {
  const t = useT();
  const { id, last_seq, issue_counts: counts } = debate;
  const record = useRecord(id, last_seq).data?.record;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <Lock aria-hidden className="mt-0.5 size-4 self-start text-muted-foreground" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">{t('closed.title')}</p>
        {record?.decision && (
          <p dir="auto" className="line-clamp-2">
            <Badge tone={record.outcome === 'agreed' ? 'success' : 'quiet'}>
              {t.label('outcome', record.outcome)}
            </Badge>{' '}
            <ArgumentLink debateId={id} seq={record.decision.seq} />{' '}
            <InlineText text={record.decision.content} />
          </p>
        )}
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted-foreground tabular-nums">
          {statusesIn(counts).map(
            (status) =>
              counts[status] > 0 && (
                <span key={status}>
                  {t.label('status', status)} {counts[status]}
                </span>
              ),
          )}
          {record && (
            <>
              {record.plan && (
                <CitedDocumentLink id={record.plan.document_id} version={record.plan.version}>
                  {t('record.plan', { n: record.plan.version })}
                </CitedDocumentLink>
              )}
              <span>
                <Term word={t('start.rounds')} means={t.explain('round')} />: {record.statistics.rounds}
              </span>
              <span>{t('closed.took', { time: t.duration(record.statistics.seconds * 1000) })}</span>
            </>
          )}
        </p>
      </div>
      <ButtonLink data-action variant="primary" href={recordPath(id)}>
        <ScrollText aria-hidden />
        {t('record.open')}
      </ButtonLink>
    </div>
  );
}
