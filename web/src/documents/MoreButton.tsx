import { useT } from '@/i18n';
import { Button } from '@/ui/button';

interface MoreButtonProps {
  pages: { items: readonly unknown[]; total: number; loading: boolean; more: () => void };
}

export function MoreButton({ pages: { items, total, loading, more } }: MoreButtonProps) {
  const t = useT();
  if (items.length >= total) return null;
  return (
    <Button size="sm" disabled={loading} className="mx-auto mt-3 flex" onClick={more}>
      {t('list.more')}
    </Button>
  );
}
