import type { IssueHistoryEntry } from '@/api/types';
import { useT } from '@/i18n';
import { ArgumentLink } from '@/ui/ArgumentLink';
import { cn } from '@/ui/cn';
import { roleStyle } from '@/ui/roleStyles';
import { NoteText } from './NoteText';

interface LinksProps {
  debateId: string;
  tabIndex?: number;
  /** Shows an argument of the open debate. */
  onJump?: (seq: number) => void;
}

interface HistoryListProps extends LinksProps {
  /** The issue. */
  id: string;
  entries: readonly IssueHistoryEntry[];
}

/** All that was made of an issue, oldest first. */
export function HistoryList({ id, entries, ...links }: HistoryListProps) {
  const t = useT();
  return (
    <ol aria-label={t('issues.history.label', { id })} className="grid gap-1.5">
      {entries.map((entry, index) => (
        <HistoryEntry
          // An argument changes an issue at most once.
          key={entry.seq}
          entry={entry}
          former={entries.slice(0, index).findLast(({ severity }) => severity)?.severity}
          {...links}
        />
      ))}
    </ol>
  );
}

interface HistoryEntryProps extends LinksProps {
  entry: IssueHistoryEntry;
  /** The severity that the issue had before, where that is known. */
  former?: string | undefined;
}

/** A change of an issue: who made it where, and why. */
export function HistoryEntry({ debateId, entry, tabIndex, former, onJump }: HistoryEntryProps) {
  const t = useT();
  const { seq, role, change, severity, note } = entry;
  const grades = [former === severity ? undefined : former, severity].flatMap((grade) =>
    grade === undefined ? [] : t.label('severity', grade),
  );
  return (
    <li className="text-[13px]">
      <Speaker role={role} />
      <span className="mr-1.5 text-xs text-muted-foreground">
        {t.label('change', change)} {severity !== undefined && `(${grades.join(' → ')}) `}
        <ArgumentLink debateId={debateId} seq={seq} tabIndex={tabIndex} onJump={onJump} />
      </span>
      {note !== undefined && (
        <span dir="auto">
          <NoteText text={note} tabIndex={tabIndex} />
        </span>
      )}
    </li>
  );
}

/** Who said what follows. */
export function Speaker({ role, named = true }: { role: string; named?: boolean }) {
  const t = useT();
  const { icon: Icon, text } = roleStyle(role);
  return (
    <span
      className={cn(
        'mr-1.5 inline-flex items-center gap-1 font-semibold',
        named ? 'align-bottom' : 'align-[-0.125em]',
        text,
      )}
    >
      <Icon aria-hidden className="size-3.5" />
      <span className={cn(!named && 'sr-only')}>{t.label('role', role)}</span>
    </span>
  );
}
