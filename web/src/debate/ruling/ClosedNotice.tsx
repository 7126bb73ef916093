import { Lock, ScrollText } from 'lucide-react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { recordPath } from '@/lib/router';
import { useRecord } from '@/record/useRecord';
import { ArgumentLink } from '@/ui/ArgumentLink';
import { Beginning } from '@/ui/Beginning';
import { Badge } from '@/ui/badge';
import { ButtonLink } from '@/ui/button';
import { InlineText } from '@/ui/InlineText';

/** About two lines. */
const LETTERS = 160;

/** What came of a closed debate: its decision, and the way to its record, which has all else. */
export function ClosedNotice({ debate }: { debate: Debate }) {
  const t = useT();
  const {
    id,
    last_seq,
    issue_counts: { unsettled },
  } = debate;
  const record = useRecord(id, last_seq).data?.record;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <Lock aria-hidden className="mt-0.5 size-4 self-start text-muted-foreground" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">{t('closed.title')}</p>
        {record?.decision && (
          <p dir="auto" className="wrap-anywhere">
            <Badge tone={record.outcome === 'agreed' ? 'success' : 'quiet'}>
              {t.label('outcome', record.outcome)}
            </Badge>{' '}
            {unsettled > 0 && <Badge tone="quiet">{t('issues.unsettled', { n: unsettled })}</Badge>}{' '}
            <ArgumentLink debateId={id} seq={record.decision.seq} />{' '}
            <Beginning text={record.decision.content} letters={LETTERS}>
              {(shown) => <InlineText text={shown} />}
            </Beginning>
          </p>
        )}
      </div>
      <ButtonLink data-action variant="primary" href={recordPath(id)}>
        <ScrollText aria-hidden />
        {t('record.open')}
      </ButtonLink>
    </div>
  );
}
