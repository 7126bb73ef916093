import { type ReactNode, useState } from 'react';
import { useT } from '@/i18n';
import { visible } from '@/lib/hiddenCharacters';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { type AnswersAt, partsOf, useSegments } from './changedParts';
import type { Line, Row } from './compare';
import { ExpandButton } from './ExpandButton';

/** How many rows are rendered at first, and with each click. */
const ROWS_PER_PAGE = 1_500;
/** How many unchanged lines are shown around a change. */
const CONTEXT_LINES = 3;
/** Fewer unchanged lines than this are not collapsed, since the button takes a line, too. */
const MIN_COLLAPSED = 4;

const linesIn = (line: Line | null) => line && { from: line.number, to: line.number };
export const changedPart = ({ same, left, right }: Row) =>
  same ? null : { left: linesIn(left), right: linesIn(right) };

interface RowChangesProps {
  rows: readonly Row[];
  /** The numbers of the two versions. */
  from: number;
  to: number;
  /** Whether the versions stand above the lines. */
  titled: boolean;
  answers?: AnswersAt | undefined;
}

/** The changed lines of the source. Unchanged lines are collapsed. */
export function RowChanges({ rows, from, to, titled, answers }: RowChangesProps) {
  const t = useT();
  const segments = useSegments(rows, changedPart, CONTEXT_LINES, MIN_COLLAPSED);
  const [maxRows, setMaxRows] = useState(ROWS_PER_PAGE);
  const across = (key: string, className: string, children: ReactNode) => (
    <tbody key={key}>
      <tr>
        <td colSpan={3} className={cn('border-y bg-sidebar px-[0.6rem]', className)}>
          {children}
        </td>
      </tr>
    </tbody>
  );

  const shown: ReactNode[] = [];
  let remaining = maxRows;
  for (const { start, collapsed, items: segment, expand } of segments) {
    if (remaining <= 0) break;
    if (collapsed) {
      shown.push(
        across(
          `collapsed ${start}`,
          '',
          <ExpandButton label={t('documents.expand', { n: segment.length })} onClick={expand} />,
        ),
      );
      remaining -= 1;
      continue;
    }
    for (const { start: index, changed, items } of partsOf(segment.slice(0, remaining), changedPart)) {
      const line = changed && answers?.(changed);
      if (line) shown.push(across(`answers ${start + index}`, 'py-[0.2rem]', line));
      shown.push(<Rows key={start + index} rows={items} changed={changed !== null} />);
    }
    remaining -= segment.length;
  }

  return (
    <>
      <table
        className={cn(
          'changes w-full table-fixed border-separate border-spacing-0 overflow-clip rounded-[10px] border bg-card font-mono text-[0.8rem] leading-[1.55]',
          !titled && 'py-1',
        )}
        data-layout="rows"
      >
        <caption className="sr-only">{t('documents.changes', { from, to })}</caption>
        <colgroup>
          <col className="w-11" />
          <col className="w-11" />
          <col />
        </colgroup>
        {titled && (
          <thead>
            <tr>
              <th scope="col" className={HEADER}>
                v{from}
              </th>
              <th scope="col" colSpan={2} className={HEADER}>
                v{to}
              </th>
            </tr>
          </thead>
        )}
        {shown}
      </table>
      {remaining <= 0 && (
        <p className="mt-4 text-center">
          <Button size="sm" onClick={() => setMaxRows(maxRows + ROWS_PER_PAGE)}>
            {t('list.more')}
          </Button>
        </p>
      )}
    </>
  );
}

type Change = 'same' | 'removed' | 'added';

const HEADER =
  'sticky top-9 border-b bg-sidebar px-[0.8rem] py-[0.35rem] text-left font-semibold text-muted-foreground';
const NUMBER = 'number pr-2 text-right align-top text-muted-foreground tabular-nums select-none';
const ROW_LOOKS = { same: '', removed: 'removed bg-destructive-soft', added: 'added bg-success-soft' };

function Rows({ rows, changed }: { rows: readonly Row[]; changed: boolean }) {
  return (
    <tbody data-changed-part={changed ? '' : undefined} className={cn(changed && 'scroll-mt-24')}>
      {linesByChange(rows).map(({ line, change, left, right }) => (
        <tr
          key={`${left ?? ''}:${right ?? ''}`}
          data-lines={`${line.number}-${line.number}`}
          data-old={change === 'removed' ? '' : undefined}
        >
          <td className={cn(NUMBER, ROW_LOOKS[change])}>{left}</td>
          <td className={cn(NUMBER, ROW_LOOKS[change])}>{right}</td>
          <td className={cn('px-[0.6rem] align-top', ROW_LOOKS[change])}>
            <LineText line={line} change={change} />
          </td>
        </tr>
      ))}
    </tbody>
  );
}

/** Each line once, with its numbers on both sides. Of the rows either all changed or none: removed lines stand before added ones. */
export function linesByChange(rows: readonly Row[]) {
  const of = (change: Change, side: 'left' | 'right') =>
    rows.flatMap((row) => {
      const line = row[side];
      const both = change === 'same';
      const left = both || side === 'left' ? row.left?.number : undefined;
      const right = both || side === 'right' ? row.right?.number : undefined;
      return line === null ? [] : [{ line, change, left, right }];
    });
  return rows[0]?.same ? of('same', 'right') : [...of('removed', 'left'), ...of('added', 'right')];
}

const SIGNS = { same: ' ', removed: '−', added: '+' };

function LineText({ line, change }: { line: Line; change: Change }) {
  const t = useT();
  const Part = change === 'removed' ? 'del' : 'ins';
  const parts = line.parts ?? [{ text: line.text, changed: false }];
  return (
    <span className="flex min-h-[1lh]">
      <span aria-hidden className="w-[1.2em] flex-none text-muted-foreground select-none">
        {SIGNS[change]}
      </span>
      {change !== 'same' && <span className="sr-only">{t(`documents.line.${change}`)}</span>}
      <span dir="auto" className="text min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap">
        {parts.map(({ text, changed }, index) => {
          const shownText = withoutLineEnd(text);
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key
          return changed ? <Part key={index}>{shownText}</Part> : <span key={index}>{shownText}</span>;
        })}
        {change !== 'same' && !line.text.endsWith('\n') && (
          <span className="ml-[0.6em] font-sans text-muted-foreground italic">
            {t('documents.line.noNewline')}
          </span>
        )}
      </span>
    </span>
  );
}

/** Drops the newline and shows hidden characters, such as a carriage return, which may be all that changed. */
function withoutLineEnd(text: string): string {
  return visible(text.replace(/\n$/, '').replace(/\r$/, '␍'));
}
