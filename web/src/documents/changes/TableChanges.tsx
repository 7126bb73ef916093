import type { ReactNode } from 'react';
import { useT } from '@/i18n';
import { InlineText } from '@/ui/InlineText';
import { WideTable } from '@/ui/WideTable';
import { useSegments } from './changedParts';
import type { Line, Row } from './compare';
import { ExpandButton } from './ExpandButton';
import { changedPart, linesByChange } from './RowChanges';
import { alignmentsOf, cellsOf, withoutDelimiters } from './tableCells';

/** How many unchanged rows are shown around a change; fewer than the least are not collapsed. */
const CONTEXT = 1;
const MIN_COLLAPSED = 3;

interface TableChangesProps {
  rows: readonly Row[];
  /** The numbers of the two versions. */
  from: number;
  to: number;
}

/** A table in which rows changed, as a table: the former rows above those that replaced them. */
export function TableChanges({ rows, from, to }: TableChangesProps) {
  const t = useT();
  const [header, ...body] = withoutDelimiters(rows);
  const alignments = { old: alignmentsOf(rows, 'left'), now: alignmentsOf(rows, 'right') };
  const segments = useSegments(body, changedPart, CONTEXT, MIN_COLLAPSED);
  const columns = Math.max(1, ...rows.flatMap(({ left, right }) => [left, right].map(countCells)));
  const all = (shown: readonly Row[], Cell: 'th' | 'td') =>
    shown.flatMap((row) =>
      linesByChange([row]).map(({ line, change }) => (
        <tr
          key={`${change} ${line.number}`}
          data-lines={`${line.number}-${line.number}`}
          data-old={change === 'removed' ? '' : undefined}
          className={LOOKS[change]}
        >
          {cellsOf(line).map((parts, index) => (
            <Cell
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other key
              key={index}
              dir="auto"
              style={{ textAlign: alignments[change === 'removed' ? 'old' : 'now'][index] }}
              className="border-b px-2.5 py-1.5 text-start align-top wrap-break-word"
            >
              {index === 0 && change !== 'same' && (
                <span className="sr-only">{t(`documents.line.${change}`)} </span>
              )}
              {parts.map(({ text, changed }, at) => {
                const Mark = changed ? (change === 'removed' ? 'del' : 'ins') : 'span';
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key
                  <Mark key={at}>
                    <InlineText text={text} />
                  </Mark>
                );
              })}
            </Cell>
          ))}
        </tr>
      )),
    );
  return (
    <WideTable className="rounded-lg border">
      <table data-layout="table" className="changes w-full border-separate border-spacing-0 text-sm">
        <caption className="sr-only">{t('documents.changes', { from, to })}</caption>
        <thead>{header && all([header], 'th')}</thead>
        <tbody>
          {segments.map(
            ({ start, collapsed, items, expand }): ReactNode =>
              collapsed ? (
                <tr key={start}>
                  <td colSpan={columns} className="border-b bg-sidebar">
                    <ExpandButton label={t('documents.expand', { n: items.length })} onClick={expand} />
                  </td>
                </tr>
              ) : (
                all(items, 'td')
              ),
          )}
        </tbody>
      </table>
    </WideTable>
  );
}

/** The shadow of what is scrolled is seen through them. */
const LOOKS = { same: '', removed: 'removed bg-destructive/12', added: 'added bg-success/12' };

const countCells = (line: Line | null) => (line === null ? 0 : cellsOf(line).length);
