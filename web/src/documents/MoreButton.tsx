import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import type { PagedQuery } from './queries';

export function MoreButton({
  query: { items, total, isFetching, fetchMore },
}: {
  query: PagedQuery<unknown>;
}) {
  const t = useT();
  if (items.length >= total) return null;
  return (
    <Button size="sm" disabled={isFetching} className="mx-auto mt-3 flex!" onClick={fetchMore}>
      {t('list.more')}
    </Button>
  );
}
