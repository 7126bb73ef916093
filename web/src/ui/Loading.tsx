import { useT } from '@/i18n';
import { Button } from './button';
import { TextSkeleton } from './Skeleton';

interface LoadingProps {
  query: { isError: boolean; refetch: () => unknown };
}

/** Shown until something has arrived, also if it could not be fetched. */
export function Loading({ query: { isError, refetch } }: LoadingProps) {
  const t = useT();
  if (!isError) return <TextSkeleton />;
  return (
    <p className="flex items-center gap-2 text-sm text-muted-foreground">
      {t('documents.failed')}
      <Button size="sm" onClick={() => void refetch()}>
        {t('failed.retry')}
      </Button>
    </p>
  );
}
