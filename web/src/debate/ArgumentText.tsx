import { ChevronDown, ChevronUp } from 'lucide-react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { Markdown } from '@/markdown/Markdown';
import { Button } from '@/ui/button';
import { sizeLabel } from '@/ui/byteSize';
import { CitationsContext } from '@/ui/planLinks';

const NONE = [] as const;

interface ArgumentTextProps {
  argument: Argument;
  expanded: boolean;
  /** Null for a few lines which cannot be expanded. */
  onToggle: (() => void) | null;
}

/** What an argument says; of a long one, its beginning and the rest on demand. */
export function ArgumentText({ argument, expanded, onToggle }: ArgumentTextProps) {
  const t = useT();
  const { debate_id, seq, content, citations = NONE } = argument;
  const long = isLong(content);
  const collapsed = onToggle === null || (long && !expanded);
  const Icon = expanded ? ChevronUp : ChevronDown;
  return (
    <>
      <div className={collapsed ? (onToggle === null ? 'excerpt' : 'collapsed') : undefined}>
        {content === '' ? (
          <p className="text-muted-foreground italic">{t('argument.stopped')}</p>
        ) : (
          <CitationsContext value={citations}>
            <Markdown text={collapsed ? preview(content) : content} scope={`a${debate_id}-${seq}`} />
          </CitationsContext>
        )}
      </div>
      {long && onToggle !== null && (
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

const LONG_CHARACTERS = 1600;
const LONG_LINES = 26;

/** Decided by the text, not by its rendered height, so that a card has its final height from the start. */
export function isLong(content: string): boolean {
  if (content.length > LONG_CHARACTERS) return true;
  let lines = 0;
  for (const character of content) if (character === '\n') lines += 1;
  return lines > LONG_LINES;
}

const PREVIEW_CHARACTERS = 2400;
const PREVIEW_LINES = 48;

/** The beginning of a text: as much as a collapsed card can show. */
export function preview(content: string): string {
  const lines = content.slice(0, PREVIEW_CHARACTERS).split('\n', PREVIEW_LINES);
  return lines.join('\n');
}
