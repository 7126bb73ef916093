import { useT } from '@/i18n';
import { Skeleton } from '@/ui/Skeleton';

const LINES = ['w-2/5', 'w-full', 'w-11/12', 'w-full', 'w-3/5', 'w-full', 'w-4/5'];

/** While a text is loading. */
export function TextSkeleton() {
  const t = useT();
  return (
    <Skeleton
      label={t('documents.loading')}
      shapes={LINES.map((width) => `h-4 ${width}`)}
      className="grid max-w-[46rem] gap-3 p-4 sm:p-6"
    />
  );
}
