import { Plus } from 'lucide-react';
import { useT } from '@/i18n';
import { IconButton } from '@/ui/button';
import { InlineText } from '@/ui/InlineText';
import type { DecisionModel } from './decisionModel';
import { Unfold } from './Question';
import type { ResolutionList } from './resolutionLists';

/** A longer list is folded, so that what follows is in view. */
const FEW_LINES = 8;

interface ResolutionNotesProps {
  model: DecisionModel;
  lists: readonly ResolutionList[];
}

/** What a resolution decided by itself and left as notes: each line can be taken into the ruling. */
export function ResolutionNotes({ model, lists }: ResolutionNotesProps) {
  const t = useT();
  const { stored, change } = model;
  const words = {
    'Decided for you': 'ruling.decided',
    'Notes for whoever implements it': 'ruling.notes',
  } as const;
  const take = (line: string) => {
    const { text } = stored.get();
    change({ text: `${text.trimEnd()}${text.trim() === '' ? '' : '\n'}- ${line}` });
  };
  return lists.map(({ heading, lines }, index) => (
    <Unfold key={heading} open={lines.length <= FEW_LINES} title={t(words[heading], { n: lines.length })}>
      {() => (
        <>
          {index === 0 && <p className="mb-1 text-xs text-muted-foreground">{t('ruling.take.hint')}</p>}
          <ul className="grid gap-1 max-sm:gap-5 max-sm:py-2">
            {lines.map((line) => (
              <li key={line} className="flex items-start gap-2">
                <IconButton
                  icon={Plus}
                  variant="outline"
                  size="tiny"
                  label={t('ruling.take', { line })}
                  title={t('ruling.take.short')}
                  onClick={() => take(line)}
                />
                <span dir="auto" className="min-w-0 py-1 wrap-anywhere">
                  <InlineText text={line} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Unfold>
  ));
}
