import { useMemo, useState } from 'react';
import { useT } from '@/i18n';
import { visible } from '@/lib/hiddenCharacters';
import { Button } from '@/ui/button';
import { endOfCharacter } from './content';

/** How many groups of 200 lines are rendered at first, and with each click. */
const GROUPS_PER_PAGE = 25;

/** The text with line numbers. */
export function RawText({ content }: { content: string }) {
  const t = useT();
  const groups = useMemo(() => groupLines(content), [content]);
  const lastNumber = groups.at(-1)?.findLast(({ number }) => number !== null)?.number;
  const [count, setCount] = useState(GROUPS_PER_PAGE);
  if (groups.length === 0)
    return <p className="px-4 py-5 text-muted-foreground italic sm:px-8">{t('documents.blank')}</p>;
  return (
    <div className="py-3">
      <div dir="ltr" className="raw-text font-mono text-[0.82rem] leading-[1.6]">
        {groups.slice(0, count).map((lines) => (
          <div
            key={lines[0]?.number}
            style={{ counterReset: `line ${(lines[0]?.number ?? 1) - 1}` }}
            className="[contain-intrinsic-size:auto_260rem] [content-visibility:auto]"
          >
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
          {t('documents.shownLines', { n: groups[count]?.[0]?.number ?? 0, total: lastNumber ?? 0 })}
          <Button size="sm" onClick={() => setCount(count + GROUPS_PER_PAGE)}>
            {t('list.more')}
          </Button>
        </p>
      )}
    </div>
  );
}

interface RawLine {
  /** Null for the continuation of a very long line. */
  number: number | null;
  text: string;
}

const LINES_PER_GROUP = 200;
const MAX_LINE_LENGTH = 10_000;

/** Splits a text into groups of lines, so that the browser lays out only the groups in view. */
export function groupLines(content: string): RawLine[][] {
  const groups: RawLine[][] = [];
  let group: RawLine[] = [];
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const [index, line] of lines.entries()) {
    for (let start = 0, end = 0; start === 0 || start < line.length; start = end) {
      end = endOfCharacter(line, start + MAX_LINE_LENGTH);
      group.push({ number: start === 0 ? index + 1 : null, text: line.slice(start, end) });
      if (group.length < LINES_PER_GROUP) continue;
      groups.push(group);
      group = [];
    }
  }
  if (group.length > 0) groups.push(group);
  return groups;
}
