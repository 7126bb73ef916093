import { ChevronDown, ChevronUp } from 'lucide-react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { Markdown } from '@/markdown/Markdown';
import { Button } from '@/ui/button';
import { sizeLabel } from '@/ui/byteSize';
import { CitationsContext } from '@/ui/CitedDocumentLink';
import { cn } from '@/ui/cn';

const NONE = [] as const;

/** Collapsed content fades out at its end. */
const COLLAPSED = 'max-h-88 overflow-hidden mask-b-from-75%';

interface ArgumentTextProps {
  argument: Argument;
  expanded: boolean;
  onToggle: () => void;
}

/** What an argument says; of a long one, its beginning and the rest on demand. */
export function ArgumentText({ argument, expanded, onToggle }: ArgumentTextProps) {
  const t = useT();
  const { content } = argument;
  const long = preview(content) !== content;
  const Icon = expanded ? ChevronUp : ChevronDown;
  return (
    <>
      <div className={cn(long && !expanded && COLLAPSED)}>
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
          {expanded ? t('argument.collapse') : t('argument.expand', { size: sizeLabel(content) })}
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
