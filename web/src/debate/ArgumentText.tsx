import { ChevronDown, ChevronUp } from 'lucide-react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { Markdown } from '@/markdown/Markdown';
import { Button } from '@/ui/button';
import { sizeLabel } from '@/ui/byteSize';
import { CitationsContext } from '@/ui/CitedDocumentLink';

const NONE = [] as const;

/** Collapsed content fades out at its end. */
const COLLAPSED = 'max-h-88 overflow-hidden mask-b-from-75%';
const EXCERPT =
  'max-h-[5.2rem] overflow-hidden mask-b-from-[3.4rem] mask-b-to-[5.2rem] [&_.prose]:text-[0.94em]';

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
  const beginning = preview(content);
  const long = beginning !== content;
  const collapsed = onToggle === null || (long && !expanded);
  const Icon = expanded ? ChevronUp : ChevronDown;
  return (
    <>
      <div className={collapsed ? (onToggle === null ? EXCERPT : COLLAPSED) : undefined}>
        {content === '' ? (
          <p className="text-muted-foreground italic">{t('argument.stopped')}</p>
        ) : (
          <CitationsContext value={citations}>
            <Markdown text={collapsed ? beginning : content} scope={`a${debate_id}-${seq}`} />
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

const MOST_CHARACTERS = 1600;
const MOST_LINES = 27;

/** The beginning of a text, which fills a collapsed card: a text that has more is long, whatever its height. */
export function preview(content: string): string {
  return content.slice(0, MOST_CHARACTERS).split('\n', MOST_LINES).join('\n');
}
