import { useMemo, useState } from 'react';
import { useT } from '@/i18n';
import { visible } from '@/lib/visible';
import { Button } from '@/ui/button';
import { groupLines } from './rawLines';

/** How many groups of 200 lines are rendered at first, and with each click. */
const GROUPS_PER_PAGE = 25;

/** The text with line numbers. */
export function RawText({ content }: { content: string }) {
  const t = useT();
  const groups = useMemo(() => groupLines(content), [content]);
  const [count, setCount] = useState(GROUPS_PER_PAGE);
  if (groups.length === 0)
    return <p className="px-4 py-5 text-muted-foreground italic sm:px-8">{t('documents.blank')}</p>;
  return (
    <div className="py-3">
      <div dir="ltr" className="raw-text">
        {groups.slice(0, count).map((lines) => (
          <div key={lines[0]?.number} style={{ counterReset: `line ${(lines[0]?.number ?? 1) - 1}` }}>
            {lines.map(({ number, text }, index) => (
              <p
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key
                key={index}
                data-lines={number === null ? undefined : `${number}-${number}`}
                className={number === null ? 'continued' : undefined}
              >
                {visible(text.replace(/\r$/, ''))}
              </p>
            ))}
          </div>
        ))}
      </div>
      {count < groups.length && (
        <p className="flex flex-wrap items-center justify-center gap-3 px-4 py-4 text-sm text-muted-foreground">
          {t('documents.shownLines', { n: groups[count]?.[0]?.number ?? 0, total: lineCount(content) })}
          <Button size="sm" onClick={() => setCount(count + GROUPS_PER_PAGE)}>
            {t('list.more')}
          </Button>
        </p>
      )}
    </div>
  );
}

function lineCount(content: string): number {
  return content.split('\n').length - (content.endsWith('\n') ? 1 : 0);
}
