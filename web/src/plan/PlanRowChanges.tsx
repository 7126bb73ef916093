import { type ReactNode, useMemo, useState } from 'react';
import type { DocumentVersion } from '@/api/types';
import { UnifiedRows } from '@/documents/changes/ChangeRows';
import { CollapsedRows } from '@/documents/changes/CollapsedRows';
import { collapseUnchanged } from '@/documents/changes/collapseUnchanged';
import type { Comparison } from '@/documents/changes/compare';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { partsOfRows } from './changedParts';
import type { AnswersAt } from './PlanChanges';

const ROWS_PER_PAGE = 1_500;

interface PlanRowChangesProps {
  comparison: Extract<Comparison, { kind: 'rows' }>;
  before: DocumentVersion;
  after: DocumentVersion;
  answers: AnswersAt;
}

/** The changed lines of the source in one column. Unchanged lines are collapsed. */
export function PlanRowChanges({ comparison, before, after, answers }: PlanRowChangesProps) {
  const t = useT();
  const segments = useMemo(
    () =>
      collapseUnchanged(comparison.rows).map((segment) => ({
        ...segment,
        parts: segment.collapsed ? [] : partsOfRows(segment.rows),
      })),
    [comparison],
  );
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set());
  const [maxRows, setMaxRows] = useState(ROWS_PER_PAGE);

  const shown: ReactNode[] = [];
  let remaining = maxRows;
  for (const { start, collapsed, rows, parts } of segments) {
    if (remaining <= 0) break;
    if (collapsed && !expanded.has(start)) {
      shown.push(
        <CollapsedRows
          key={start}
          columns={3}
          count={rows.length}
          onExpand={() => setExpanded(new Set([...expanded, start]))}
        />,
      );
      remaining -= 1;
      continue;
    }
    if (collapsed) shown.push(<UnifiedRows key={start} rows={rows.slice(0, remaining)} />);
    for (const { start: index, changed, items } of parts) {
      const line = changed && answers(changed);
      if (line !== null) {
        shown.push(
          <tbody key={`answers ${start + index}`}>
            <tr>
              <td colSpan={3} className="answers">
                {line}
              </td>
            </tr>
          </tbody>,
        );
      }
      shown.push(<UnifiedRows key={start + index} rows={items} />);
    }
    remaining -= rows.length;
  }

  return (
    <div className="px-3 pt-3 pb-6 sm:px-4">
      <p className="mb-2 flex gap-3 text-xs font-medium tabular-nums">
        <span className="text-success">{t('documents.added', { n: comparison.added })}</span>
        <span className="text-destructive">{t('documents.removed', { n: comparison.removed })}</span>
      </p>
      <table className="changes" data-layout="unified">
        <caption className="sr-only">
          {t('documents.changes', { from: before.version, to: after.version })}
        </caption>
        <colgroup>
          <col className="w-10" />
          <col className="w-10" />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">v{before.version}</th>
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
