import { Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { IssueCounts } from '@/api/types';
import { useT } from '@/i18n';
import { IssueCountLabel } from '@/issues/IssueCountLabel';
import { useNow } from '@/lib/useNow';
import { Badge } from '@/ui/badge';
import { typeIcon } from '@/ui/roleStyles';
import { Term } from '@/ui/Term';
import type { RulingRequest } from './rulingRequest';

const CLOCK_MS = 15_000;

interface RequestLineProps {
  counts: IssueCounts;
  /** Undefined until it has arrived. */
  request: RulingRequest | undefined;
  children: ReactNode;
}

/** What is asked, since when it waits, and how many issues are not settled. */
export function RequestLine({ counts, request, children }: RequestLineProps) {
  const t = useT();
  const now = useNow(CLOCK_MS);
  const type = (request?.stop ?? request?.argument)?.type ?? '';
  const Icon = typeIcon(type);
  return (
    <div className="flex min-h-5 flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-muted-foreground">
      {request !== undefined && (
        <>
          <Badge tone="arbitrator">
            <Icon aria-hidden />
            <Term word={t.label('asks', type)} means={t.explain(type)} />
          </Badge>
          <span
            title={t.dateTime(request.since)}
            data-since={request.since}
            className="inline-flex items-center gap-1 tabular-nums"
          >
            <Clock aria-hidden className="size-3.5" />
            {t('inbox.waits', { time: t.duration(now - Date.parse(request.since)) })}
          </span>
        </>
      )}
      <span className="inline-flex max-sm:hidden">
        <IssueCountLabel counts={counts} />
      </span>
      {children}
    </div>
  );
}
