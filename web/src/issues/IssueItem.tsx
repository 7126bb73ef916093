import { ChevronDown, ChevronUp } from 'lucide-react';
import { memo } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { Link } from '@/ui/Link';
import { Loading } from '@/ui/Loading';
import { HistoryList } from './HistoryEntry';
import { IssueHead } from './IssueHead';
import { NoteText } from './NoteText';
import type { Ledger } from './useLedger';

interface IssueItemProps {
  issue: Issue;
  debateId: string;
  position: number;
  count: number;
  /** Tab reaches only the active issue; the arrow keys make another one active. */
  active: boolean;
  highlighted: boolean;
  /** Null while the history is not shown. */
  ledger: Ledger | null;
  onJump: (seq: number) => void;
  onToggle: (id: string) => void;
}

export const IssueItem = memo(function IssueItem(props: IssueItemProps) {
  const { issue, debateId, position, count, active, highlighted, ledger, onJump, onToggle } = props;
  const t = useT();
  const { id, title, status, note, raised_by, raised_seq, changed_seq } = issue;
  const role = t.label('role', raised_by);
  const tabIndex = active ? 0 : -1;
  const entries = ledger?.data?.find((one) => one.id === id)?.history;
  const ChevronIcon = ledger === null ? ChevronDown : ChevronUp;

  return (
    // biome-ignore lint/a11y/useSemanticElements: the virtual list wraps items in its own elements
    <div
      role="listitem"
      aria-setsize={count}
      aria-posinset={position}
      data-issue={id}
      data-status={status}
      className="px-3 py-1"
    >
      <div
        className={cn(
          'relative rounded-xl border bg-card px-3 py-2.5 shadow-subtle transition-colors hover:border-muted-foreground/50 has-[h3_a:focus-visible:not([data-no-outline])]:outline-2 has-[h3_a:focus-visible:not([data-no-outline])]:outline-arbitrator',
          highlighted && 'highlight',
        )}
      >
        <IssueHead
          issue={issue}
          tabIndex={tabIndex}
          id={
            <span aria-hidden className="font-mono text-xs font-semibold tabular-nums">
              {id}
            </span>
          }
          title={
            <h3 dir="auto" className="mt-1 text-sm leading-snug font-medium wrap-anywhere">
              <Link
                href={debatePath(debateId, changed_seq)}
                onNavigate={() => onJump(changed_seq)}
                title={t('issues.jump', { seq: changed_seq })}
                tabIndex={tabIndex}
                data-focus
                className={cn('outline-none hover:underline', issue.settled && 'text-muted-foreground')}
              >
                {/* A click anywhere on the card is one on the link. */}
                <span aria-hidden className="absolute inset-0 rounded-xl" />
                {/* With a direction of its own, so that it does not give the title one. */}
                <span dir="ltr" className="sr-only">
                  {id}:{' '}
                </span>
                <InlineText text={title} />
              </Link>
            </h3>
          }
        />
        {note !== null && (
          <p dir="auto" className="relative mt-1.5 w-fit text-[13px] text-muted-foreground">
            <NoteText text={note} tabIndex={tabIndex} />
          </p>
        )}
        <div className="mt-1.5 flex items-center gap-2 text-xs text-muted-foreground tabular-nums">
          <span>
            {t('issues.raised.label', { role, seq: raised_seq })}
            {changed_seq !== raised_seq && <> · {t('issues.changed', { seq: changed_seq })}</>}
          </span>
          <Button
            variant="link"
            size="bare"
            aria-expanded={ledger !== null}
            aria-label={t('issues.history.label', { id })}
            tabIndex={tabIndex}
            className="relative ml-auto gap-1! rounded! text-xs [&_svg]:size-3.5!"
            onClick={() => onToggle(id)}
          >
            {t('issues.history')}
            <ChevronIcon aria-hidden />
          </Button>
        </div>
        {ledger !== null && (
          <div className="relative mt-2 border-l-2 pl-3">
            {entries === undefined ? (
              <Loading query={ledger} />
            ) : (
              <HistoryList {...{ id, entries, debateId, tabIndex, onJump }} />
            )}
          </div>
        )}
      </div>
    </div>
  );
});
