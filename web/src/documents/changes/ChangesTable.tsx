import { UnfoldVertical } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { DocumentVersion } from '@/api/types';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { useMedia } from '@/ui/useMedia';
import type { Comparison } from './compare';
import { stretches } from './fold';
import { SideBySide, Unified } from './rows';

const WIDE = '(min-width: 64rem)';
/** As many rows as a browser takes at once. */
const ROWS_AT_ONCE = 1_500;

interface ChangesTableProps {
  comparison: Extract<Comparison, { kind: 'rows' }>;
  before: DocumentVersion;
  after: DocumentVersion;
}

/** Side by side where there is room for it, else one below the other; what did not change is folded. */
export function ChangesTable({ comparison, before, after }: ChangesTableProps) {
  const t = useT();
  const wide = useMedia(WIDE);
  const parts = useMemo(() => stretches(comparison.rows), [comparison]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const Rows = wide ? SideBySide : Unified;
  const columns = wide ? 4 : 3;

  const shown: ReactNode[] = [];
  let left = most;
  for (const { start, folded, rows } of parts) {
    if (left <= 0) break;
    if (folded && !unfolded.has(start)) {
      shown.push(
        <Fold
          key={start}
          columns={columns}
          count={rows.length}
          onUnfold={() => setUnfolded(new Set([...unfolded, start]))}
        />,
      );
      left -= 1;
    } else {
      shown.push(<Rows key={start} rows={rows.slice(0, left)} />);
      left -= rows.length;
    }
  }

  return (
    <div className="px-3 pb-6 sm:px-5">
      <p className="mb-2 flex gap-3 text-xs font-medium tabular-nums">
        <span className="text-good">{t('documents.added', { n: comparison.added })}</span>
        <span className="text-danger">{t('documents.removed', { n: comparison.removed })}</span>
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
      {left <= 0 && (
        <p className="mt-4 text-center">
          <Button size="sm" onClick={() => setMost(most + ROWS_AT_ONCE)}>
            {t('list.more')}
          </Button>
        </p>
      )}
    </div>
  );
}

function Fold({ columns, count, onUnfold }: { columns: number; count: number; onUnfold: () => void }) {
  const t = useT();
  return (
    <tbody>
      <tr>
        <td colSpan={columns} className="fold">
          <Button variant="link" size="bare" className="w-full py-1 font-sans text-xs" onClick={onUnfold}>
            <UnfoldVertical aria-hidden />
            {t('documents.unfold', { n: count })}
          </Button>
        </td>
      </tr>
    </tbody>
  );
}
