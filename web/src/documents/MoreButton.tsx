import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import type { PagedQuery } from './queries';

export function MoreButton({ query }: { query: PagedQuery }) {
  const t = useT();
  if (query.items.length >= query.total) return null;
  return (
    <Button size="sm" disabled={query.isFetching} className="mx-auto mt-3 flex!" onClick={query.fetchMore}>
      {t('list.more')}
    </Button>
  );
}
