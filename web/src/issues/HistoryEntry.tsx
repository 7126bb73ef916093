import type { IssueHistoryEntry } from '@/api/types';
import { useT } from '@/i18n';
import { ArgumentLink } from '@/ui/ArgumentLink';
import { cn } from '@/ui/cn';
import { roleStyle } from '@/ui/roleStyles';
import { NoteText } from './NoteText';

interface HistoryEntryProps {
  debateId: string;
  entry: IssueHistoryEntry;
  tabIndex?: number;
  /** Whether a long note is cut. */
  short?: boolean;
  /** Shows an argument of the open debate. */
  onJump?: (seq: number) => void;
}

/** A change of an issue: who made it where, and why. */
export function HistoryEntry({ debateId, entry, tabIndex, short = false, onJump }: HistoryEntryProps) {
  const t = useT();
  const { seq, role, change, severity, note } = entry;
  const { icon: Icon, text } = roleStyle(role);
  return (
    <li className={cn('text-[13px]', short && 'line-clamp-2')}>
      <span className={cn('mr-1.5 inline-flex items-center gap-1 align-bottom font-semibold', text)}>
        <Icon aria-hidden className="size-3.5" />
        {t.label('role', role)}
      </span>
      <span className="mr-1.5 text-xs text-muted-foreground">
        {t.label('change', change)} {severity !== undefined && `(${t.label('severity', severity)}) `}
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
