import { useT } from '@/i18n';
import { Speaker } from '@/issues/HistoryEntry';
import { NoteText } from '@/issues/NoteText';
import { ArgumentLink } from '@/ui/ArgumentLink';
import { cn } from '@/ui/cn';
import { sideStyle } from '@/ui/roleStyles';
import type { SideNotes } from './lastWords';

interface LastWordsProps {
  debateId: string;
  /** The issue. */
  id: string;
  words: readonly SideNotes[];
  /** Whether the roles are named in words: else they stand in the same columns above. */
  named?: boolean;
  /** So many lines of each, unless all is shown. */
  lines: number;
  whole: boolean;
  onWhole: (whole: boolean) => void;
}

/** What the sides noted last on an issue, and before that where there is room: beside each other and with the same weight. */
export function LastWords(props: LastWordsProps) {
  const { debateId, id, words, named = true, lines, whole, onWhole } = props;
  const t = useT();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has a button beside it
    <ul
      aria-label={t('ruling.issues.words', { id })}
      className={cn('grid grid-cols-1 gap-x-4 gap-y-0.5', words.length > 1 && '@xl:grid-cols-2')}
      onClick={({ target }) => {
        if (
          target instanceof Element &&
          target.closest('a') === null &&
          getSelection()?.isCollapsed !== false
        )
          onWhole(!whole);
      }}
    >
      {words.map((notes) => (
        <Word
          key={notes.role}
          debateId={debateId}
          notes={notes}
          named={named}
          lines={whole ? 'none' : lines}
          onCut={() => onWhole(true)}
        />
      ))}
    </ul>
  );
}

interface WordProps extends Pick<LastWordsProps, 'debateId' | 'named'> {
  notes: SideNotes;
  lines: number | 'none';
  /** What is cut off is wanted. */
  onCut: () => void;
}

function Word({ debateId, notes: { role, entries }, named, lines, onCut }: WordProps) {
  return (
    <li data-side={role} className={sideStyle(role)}>
      {/* The browser scrolls to what is cut off where the focus goes there, or where it finds a word there. */}
      <div style={{ WebkitLineClamp: lines }} className="line-clamp-1" onScroll={onCut}>
        <Speaker role={role} named={named} />
        {entries.map(({ seq, note = '' }, index) => (
          <span key={seq} className={cn(index > 0 && 'text-muted-foreground')}>
            <span className="mr-1.5 text-xs text-muted-foreground">
              <ArgumentLink debateId={debateId} seq={seq} />
            </span>
            <span dir="auto">
              <NoteText text={note} />
            </span>{' '}
          </span>
        ))}
      </div>
    </li>
  );
}
