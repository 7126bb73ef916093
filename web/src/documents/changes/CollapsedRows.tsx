import { UnfoldVertical } from 'lucide-react';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';

interface CollapsedRowsProps {
  columns: number;
  count: number;
  onExpand: () => void;
}

/** In place of unchanged lines: a button that shows them. */
export function CollapsedRows({ columns, count, onExpand }: CollapsedRowsProps) {
  const t = useT();
  return (
    <tbody>
      <tr>
        <td colSpan={columns} className="collapsed-rows">
          <Button variant="link" size="bare" className="w-full py-1 font-sans text-xs" onClick={onExpand}>
            <UnfoldVertical aria-hidden />
            {t('documents.expand', { n: count })}
          </Button>
        </td>
      </tr>
    </tbody>
  );
}
