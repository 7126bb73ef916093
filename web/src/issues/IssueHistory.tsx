import type { IssueHistoryEntry } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { Link } from '@/ui/Link';
import { roleStyle } from '@/ui/roleStyles';
import { NoteText } from './NoteText';
import type { Histories } from './useIssueHistories';

interface IssueHistoryProps {
  id: string;
  debateId: string;
  histories: Histories;
  tabIndex: number;
  onJump: (seq: number) => void;
}

export function IssueHistory({ id, debateId, histories, tabIndex, onJump }: IssueHistoryProps) {
  const t = useT();
  const entries = histories.of(id);
  if (entries === undefined) {
    return histories.failed ? (
      <p className="mt-2 flex items-center gap-2 text-xs text-muted-foreground">
        {t('issues.history.failed')}
        <Button size="sm" onClick={histories.retry}>
          {t('failed.retry')}
        </Button>
      </p>
    ) : (
      <p role="status" className="mt-2 text-xs text-muted-foreground">
        {t('issues.loading')}
      </p>
    );
  }
  return (
    <ol aria-label={t('issues.history.label', { id })} className="mt-2 grid gap-2 border-l-2 pl-3">
      {entries.map((entry) => (
        // An argument changes an issue at most once.
        <Entry key={entry.seq} entry={entry} debateId={debateId} tabIndex={tabIndex} onJump={onJump} />
      ))}
    </ol>
  );
}

interface EntryProps {
  entry: IssueHistoryEntry;
  debateId: string;
  tabIndex: number;
  onJump: (seq: number) => void;
}

function Entry({ entry, debateId, tabIndex, onJump }: EntryProps) {
  const t = useT();
  const { icon: Icon, text } = roleStyle(entry.role);
  return (
    <li className="text-xs">
      <p className="flex flex-wrap items-center gap-x-1.5">
        <Icon aria-hidden className={cn('size-3.5', text)} />
        <span className={cn('font-semibold', text)}>{t.label('role', entry.role)}</span>
        <span>{t.label('change', entry.change)}</span>
        {entry.severity !== undefined && (
          <span className="text-muted-foreground">({t.label('severity', entry.severity)})</span>
        )}
        <Link
          href={debatePath(debateId, entry.seq)}
          onNavigate={() => onJump(entry.seq)}
          aria-label={t('argument.jump', { seq: entry.seq })}
          tabIndex={tabIndex}
          className="ml-auto rounded px-1 text-muted-foreground tabular-nums hover:text-foreground hover:underline"
        >
          #{entry.seq}
        </Link>
      </p>
      {entry.note !== undefined && (
        <p dir="auto" className="mt-0.5 text-muted-foreground">
          <NoteText text={entry.note} tabIndex={tabIndex} />
        </p>
      )}
    </li>
  );
}
