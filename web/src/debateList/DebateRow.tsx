import { memo } from 'react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { IssueCountLabel } from '@/issues/IssueCountLabel';
import { debatePath } from '@/lib/router';
import { cn } from '@/ui/cn';
import { Link } from '@/ui/Link';
import { stateTone } from '@/ui/roleStyles';

const DOTS = {
  proposer: 'bg-proposer',
  opponent: 'bg-opponent',
  arbitrator: 'bg-arbitrator',
  quiet: 'border border-muted-foreground',
};

export const DebateRow = memo(function DebateRow({ debate, open }: { debate: Debate; open: boolean }) {
  const t = useT();
  const tone = stateTone(debate.state);
  return (
    <li>
      <Link
        href={debatePath(debate.id)}
        aria-current={open ? 'page' : undefined}
        data-debate={debate.id}
        data-state={debate.state}
        className={cn(
          'block rounded-xl px-3 py-2.5 transition-colors focus-visible:outline-offset-[-2px]',
          open ? 'bg-card shadow-subtle ring-1 ring-border' : 'hover:bg-accent',
        )}
      >
        <span
          dir="auto"
          className={cn(
            'line-clamp-2 text-sm leading-snug font-medium [unicode-bidi:isolate] wrap-anywhere',
            debate.state === 'CLOSED' && 'text-muted-foreground',
          )}
        >
          {debate.title}
        </span>
        <span className="mt-1.5 flex items-center gap-2 text-xs text-muted-foreground">
          <span aria-hidden className={cn('size-1.5 shrink-0 rounded-full', DOTS[tone])} />
          <span className={cn('truncate', tone === 'arbitrator' && 'font-medium text-arbitrator')}>
            {t.label('state', debate.state)}
          </span>
          <IssueCountLabel counts={debate.issue_counts} />
          <span className="ml-auto shrink-0 tabular-nums">
            <span aria-hidden>#{debate.last_seq}</span>
            <span className="sr-only">{t('list.arguments', { n: debate.last_seq })}</span>
            {' · '}
            <time dateTime={debate.updated_at} title={t.dateTime(debate.updated_at)}>
              {t.time(debate.updated_at)}
            </time>
          </span>
        </span>
      </Link>
    </li>
  );
});
