import { type ReactNode, useMemo, useState } from 'react';
import type { DocumentVersion } from '@/api/types';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { useMediaQuery } from '@/ui/useMediaQuery';
import { SplitRows, UnifiedRows } from './ChangeRows';
import { CollapsedRows } from './CollapsedRows';
import { collapseUnchanged } from './collapseUnchanged';
import type { Comparison } from './compare';

const WIDE = '(min-width: 64rem)';
/** How many rows are rendered at first, and with each click. */
const ROWS_PER_PAGE = 1_500;

interface ChangesTableProps {
  comparison: Extract<Comparison, { kind: 'rows' }>;
  before: DocumentVersion;
  after: DocumentVersion;
}

/** The changes side by side on a wide screen, otherwise in one column. Unchanged lines are collapsed. */
export function ChangesTable({ comparison, before, after }: ChangesTableProps) {
  const t = useT();
  const wide = useMediaQuery(WIDE);
  const segments = useMemo(() => collapseUnchanged(comparison.rows), [comparison]);
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set());
  const [maxRows, setMaxRows] = useState(ROWS_PER_PAGE);
  const Rows = wide ? SplitRows : UnifiedRows;
  const columns = wide ? 4 : 3;

  const shown: ReactNode[] = [];
  let remaining = maxRows;
  for (const { start, collapsed, rows } of segments) {
    if (remaining <= 0) break;
    if (collapsed && !expanded.has(start)) {
      shown.push(
        <CollapsedRows
          key={start}
          columns={columns}
          count={rows.length}
          onExpand={() => setExpanded(new Set([...expanded, start]))}
        />,
      );
      remaining -= 1;
    } else {
      shown.push(<Rows key={start} rows={rows.slice(0, remaining)} />);
      remaining -= rows.length;
    }
  }

  return (
    <div className="px-3 pb-6 sm:px-5">
      <p className="mb-2 flex gap-3 text-xs font-medium tabular-nums">
        <span className="text-success">{t('documents.added', { n: comparison.added })}</span>
        <span className="text-destructive">{t('documents.removed', { n: comparison.removed })}</span>
      </p>
      <table className="changes" data-layout={wide ? 'side-by-side' : 'unified'}>
        <caption className="sr-only">
          {t('documents.changes', { from: before.version, to: after.version })}
        </caption>
        <colgroup>
          <col className="w-12" />
          {wide && <col />}
          <col className="w-12" />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col" colSpan={wide ? 2 : 1}>
              v{before.version}
            </th>
            <th scope="col" colSpan={2}>
              v{after.version}
            </th>
          </tr>
        </thead>
        {shown}
      </table>
      {remaining <= 0 && (
        <p className="mt-4 text-center">
          <Button size="sm" onClick={() => setMaxRows(maxRows + ROWS_PER_PAGE)}>
            {t('list.more')}
          </Button>
        </p>
      )}
    </div>
  );
}
