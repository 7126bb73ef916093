import type { IssueHistoryEntry } from '@/api/types';
import { useT } from '@/i18n';
import { ArgumentLink } from '@/ui/ArgumentLink';
import { Beginning } from '@/ui/Beginning';
import { cn } from '@/ui/cn';
import { roleStyle } from '@/ui/roleStyles';
import { NoteText } from './NoteText';

/** Of a note where there is little room: about two lines. */
const LETTERS = 75;

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
  /** The severity of the issue, where it stands beside: the same is left out, and a long note is cut. */
  beside?: string;
  /** The severity that the issue had before, where that is known. */
  former?: string | undefined;
}

/** A change of an issue: who made it where, and why. */
export function HistoryEntry({ debateId, entry, tabIndex, beside, former, onJump }: HistoryEntryProps) {
  const t = useT();
  const { seq, role, change, severity, note } = entry;
  const grades = [former === severity ? undefined : former, severity].flatMap((grade) =>
    grade === undefined ? [] : t.label('severity', grade),
  );
  return (
    <li className="text-[13px]">
      <Speaker role={role} />
      <span className="mr-1.5 text-xs text-muted-foreground">
        {t.label('change', change)}{' '}
        {severity !== undefined && severity !== beside && `(${grades.join(' → ')}) `}
        <ArgumentLink debateId={debateId} seq={seq} tabIndex={tabIndex} onJump={onJump} />
      </span>
      {note !== undefined && (
        <span dir="auto">
          <Beginning text={note} letters={LETTERS} whole={beside === undefined} brief>
            {(shown) => <NoteText text={shown} tabIndex={tabIndex} />}
          </Beginning>
        </span>
      )}
    </li>
  );
}

/** Who said what follows. */
export function Speaker({ role }: { role: string }) {
  const t = useT();
  const { icon: Icon, text } = roleStyle(role);
  return (
    <span className={cn('mr-1.5 inline-flex items-center gap-1 align-bottom font-semibold', text)}>
      <Icon aria-hidden className="size-3.5" />
      {t.label('role', role)}
    </span>
  );
}
