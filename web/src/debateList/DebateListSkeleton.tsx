import { Skeleton } from '@/ui/Skeleton';

const ROWS = ['w-4/5', 'w-3/5', 'w-full', 'w-2/3', 'w-3/4'].flatMap((width) => [
  `h-3.5 ${width}`,
  'h-3 mb-3 w-2/5',
]);

/** While debates are loading. */
export function DebateListSkeleton() {
  return <Skeleton shapes={ROWS} className="grid gap-2 px-3 pt-4" />;
}
