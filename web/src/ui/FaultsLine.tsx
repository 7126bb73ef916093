import { TriangleAlert } from 'lucide-react';
import { useT } from '@/i18n';

/** Says below a list how many of its entries the server cannot read and leaves out. */
export function FaultsLine({ count }: { count: number }) {
  const t = useT();
  if (count === 0) return null;
  return (
    <p role="note" className="flex items-center gap-2 px-3 py-2 text-xs text-muted-foreground">
      <TriangleAlert aria-hidden className="size-4 shrink-0" />
      {t('list.faults', { n: count })}
    </p>
  );
}
