import { memo } from 'react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { Link } from '@/ui/Link';
import { Time } from '@/ui/Time';
import { StateWords } from './StateWords';

/** What is open: a field has a border and the colour of a card. */
export const OPEN_ROW = 'bg-arbitrator-soft ring-1 ring-arbitrator/25';

export const DebateRow = memo(function DebateRow({ debate, open }: { debate: Debate; open: boolean }) {
  const t = useT();
  const { unsettled, blocking } = debate.issue_counts;
  const over = debate.state === 'CLOSED';
  return (
    <li>
      <Link
        href={debatePath(debate.id)}
        aria-current={open ? 'page' : undefined}
        data-debate={debate.id}
        data-state={debate.state}
        className={cn(
          'block scroll-my-2 rounded-xl px-3 py-2.5 transition-colors focus-visible:outline-offset-[-2px]',
          open ? OPEN_ROW : 'hover:bg-accent',
        )}
      >
        <span
          dir="auto"
          className={cn(
            'line-clamp-2 text-sm leading-snug font-medium [unicode-bidi:isolate] wrap-anywhere',
            over && 'text-muted-foreground',
          )}
        >
          <InlineText text={debate.title} />
        </span>
        <span className="mt-1.5 flex items-center gap-2 text-xs text-muted-foreground">
          <StateWords state={debate.state} asks={debate.ruling_request?.on} />
          {(over ? unsettled : blocking) > 0 && (
            <span className={cn('shrink-0 tabular-nums', !over && 'font-medium text-warning')}>
              {over ? t('issues.left', { n: unsettled }) : t('issues.blocking', { n: blocking })}
            </span>
          )}
          <Time at={debate.updated_at} className="ml-auto shrink-0" />
        </span>
      </Link>
    </li>
  );
});
