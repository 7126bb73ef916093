import { ChevronDown, ChevronUp } from 'lucide-react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { countWords } from '@/lib/sentences';
import { Markdown } from '@/markdown/Markdown';
import { Button } from '@/ui/button';
import { CitationsContext } from '@/ui/CitedDocumentLink';
import { useFold } from '@/ui/useFold';

const NONE = [] as const;

/** A collapsed card has so many. */
const LINES = 14;

interface ArgumentTextProps {
  argument: Argument;
  expanded: boolean;
  onToggle: () => void;
}

/** What an argument says; of a long one, its beginning and the rest on demand. */
export function ArgumentText({ argument, expanded, onToggle }: ArgumentTextProps) {
  const t = useT();
  const { content } = argument;
  const rest = unshown(content);
  const long = rest !== null;
  const { wordsLeft, frame } = useFold(LINES, !long || expanded, rest, onToggle);
  const Icon = expanded ? ChevronUp : ChevronDown;
  return (
    <>
      <div {...frame}>
        <ArgumentContent argument={argument} whole={expanded} />
      </div>
      {long && (
        <Button
          variant="link"
          size="bare"
          aria-expanded={expanded}
          className="mt-2 rounded! text-[13px]"
          onClick={onToggle}
        >
          <Icon aria-hidden />
          {expanded
            ? t('argument.collapse')
            : `${t('argument.more')}${wordsLeft > 0 ? ` (${t('argument.left', { n: wordsLeft })})` : ''}`}
        </Button>
      )}
    </>
  );
}

/** The text as markdown: the whole of it, or its beginning. */
export function ArgumentContent({ argument, whole }: { argument: Argument; whole: boolean }) {
  const t = useT();
  const { debate_id, seq, content, citations = NONE } = argument;
  if (content === '') return <p className="text-muted-foreground italic">{t('argument.stopped')}</p>;
  return (
    <CitationsContext value={citations}>
      <Markdown text={whole ? content : preview(content)} scope={`a${debate_id}-${seq}`} />
    </CitationsContext>
  );
}

const MOST_CHARACTERS = 1600;
const MOST_LINES = 27;

/** The beginning of a text, which fills a collapsed card: a text that has more is long, whatever its height. */
export function preview(content: string): string {
  return content.slice(0, MOST_CHARACTERS).split('\n', MOST_LINES).join('\n');
}

/** How many words come after the preview; null if it is all. */
export function unshown(content: string): number | null {
  const shown = preview(content);
  return shown === content ? null : countWords(content) - countWords(shown);
}
