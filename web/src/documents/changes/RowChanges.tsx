import { UnfoldVertical } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { SplitRows, UnifiedRows } from './ChangeRows';
import { type AnswersAt, partsOfRows } from './changedParts';
import { collapseUnchanged } from './collapseUnchanged';
import type { Row } from './compare';

/** How many rows are rendered at first, and with each click. */
const ROWS_PER_PAGE = 1_500;

interface RowChangesProps {
  rows: readonly Row[];
  /** The numbers of the two versions. */
  from: number;
  to: number;
  /** Whether both versions are beside each other, rather than in one column. */
  split: boolean;
  /** Whether the versions stand above the lines. */
  titled: boolean;
  answers?: AnswersAt;
}

/** The changed lines of the source. Unchanged lines are collapsed. */
export function RowChanges({ rows, from, to, split, titled, answers = () => null }: RowChangesProps) {
  const t = useT();
  const segments = useMemo(() => collapseUnchanged(rows), [rows]);
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set());
  const [maxRows, setMaxRows] = useState(ROWS_PER_PAGE);
  const Rows = split ? SplitRows : UnifiedRows;
  const columns = split ? 4 : 3;
  const across = (key: string, className: string, children: ReactNode) => (
    <tbody key={key}>
      <tr>
        <td colSpan={columns} className={className}>
          {children}
        </td>
      </tr>
    </tbody>
  );

  const shown: ReactNode[] = [];
  let remaining = maxRows;
  for (const { start, collapsed, rows: segment } of segments) {
    if (remaining <= 0) break;
    if (collapsed && !expanded.has(start)) {
      const expand = () => setExpanded(new Set([...expanded, start]));
      shown.push(
        across(
          `collapsed ${start}`,
          'collapsed-rows',
          <Button variant="link" size="bare" className="w-full py-1 font-sans text-xs" onClick={expand}>
            <UnfoldVertical aria-hidden />
            {t('documents.expand', { n: segment.length })}
          </Button>,
        ),
      );
      remaining -= 1;
      continue;
    }
    for (const { start: index, changed, items } of partsOfRows(segment.slice(0, remaining))) {
      const line = changed && answers(changed);
      if (line !== null) shown.push(across(`answers ${start + index}`, 'answers', line));
      shown.push(<Rows key={start + index} rows={items} />);
    }
    remaining -= segment.length;
  }

  return (
    <>
      <table className="changes" data-layout={split ? 'side-by-side' : 'unified'}>
        <caption className="sr-only">{t('documents.changes', { from, to })}</caption>
        <colgroup>
          <col className="w-11" />
          {split && <col />}
          <col className="w-11" />
          <col />
        </colgroup>
        {titled && (
          <thead>
            <tr>
              <th scope="col" colSpan={split ? 2 : 1}>
                v{from}
              </th>
              <th scope="col" colSpan={2}>
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
