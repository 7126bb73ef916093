import { Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { IssueCountLabel } from '@/issues/IssueCountLabel';
import { useNow } from '@/lib/useNow';
import { Badge } from '@/ui/badge';
import { cn } from '@/ui/cn';
import { typeIcon } from '@/ui/roleStyles';
import { Term } from '@/ui/Term';
import { dateTip } from '@/ui/Time';

const CLOCK_MS = 15_000;

interface RequestLineProps {
  debate: Debate;
  /** Where the issues are told by nothing else, on a phone, too. */
  inCard?: boolean;
  children: ReactNode;
}

/** What is asked, since when it waits, and how many issues are not settled. */
export function RequestLine({ debate, inCard = false, children }: RequestLineProps) {
  const t = useT();
  const now = useNow(CLOCK_MS);
  const { ruling_request: request, issue_counts } = debate;
  const Icon = typeIcon(request?.on ?? '');
  return (
    <div className="flex min-h-5 flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-muted-foreground">
      {request !== null && (
        <>
          <Badge tone="arbitrator">
            <Icon aria-hidden />
            <Term word={t.label('asks', request.on)} means={t.explain(request.on)} />
          </Badge>
          <span
            {...dateTip(t, request.since)}
            data-since={request.since}
            className="inline-flex items-center gap-1 tabular-nums"
          >
            <Clock aria-hidden className="size-3.5" />
            {t('inbox.waits', { time: t.duration(now - Date.parse(request.since)) })}
          </span>
        </>
      )}
      <span className={cn('inline-flex', !inCard && 'max-sm:hidden')}>
        <IssueCountLabel counts={issue_counts} />
      </span>
      {children}
    </div>
  );
}
