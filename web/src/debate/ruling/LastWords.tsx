import { useState } from 'react';
import type { IssueHistoryEntry } from '@/api/types';
import { useT } from '@/i18n';
import { Speaker } from '@/issues/HistoryEntry';
import { NoteText } from '@/issues/NoteText';
import { ArgumentLink } from '@/ui/ArgumentLink';
import { cn } from '@/ui/cn';
import { sideStyle } from './Question';

interface LastWordsProps {
  debateId: string;
  /** The issue. */
  id: string;
  words: readonly IssueHistoryEntry[];
  /** Whether the roles are named in words: else they stand in the same columns above. */
  named?: boolean;
  /** So many lines of each; a press shows the others. */
  lines: number;
  onOpen: () => void;
}

/** What the sides noted last on an issue, beside each other and with the same weight. */
export function LastWords({ debateId, id, words, named = true, lines, onOpen }: LastWordsProps) {
  const t = useT();
  const [whole, setWhole] = useState(false);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has the button to all that was said
    <ul
      aria-label={t('ruling.issues.words', { id })}
      className={cn('grid grid-cols-1 gap-x-4 gap-y-0.5', words.length > 1 && '@xl:grid-cols-2')}
      onClick={({ target }) => {
        if (
          target instanceof Element &&
          target.closest('a') === null &&
          getSelection()?.isCollapsed !== false
        )
          setWhole(!whole);
      }}
    >
      {words.map((entry) => (
        <Word
          key={entry.role}
          debateId={debateId}
          entry={entry}
          named={named}
          lines={whole ? 'none' : lines}
          onOpen={onOpen}
        />
      ))}
    </ul>
  );
}

interface WordProps extends Pick<LastWordsProps, 'debateId' | 'named' | 'onOpen'> {
  entry: IssueHistoryEntry;
  lines: number | 'none';
}

function Word({ debateId, entry: { role, seq, note = '' }, named, lines, onOpen }: WordProps) {
  return (
    <li data-side={role} className={sideStyle(role)}>
      {/* The browser scrolls to what is cut off where the focus goes there, or where it finds a word there. */}
      <div style={{ WebkitLineClamp: lines }} className="line-clamp-1" onScroll={onOpen}>
        <Speaker role={role} named={named} />
        <span className="mr-1.5 text-xs text-muted-foreground">
          <ArgumentLink debateId={debateId} seq={seq} />
        </span>
        <span dir="auto">
          <NoteText text={note} />
        </span>
      </div>
    </li>
  );
}
