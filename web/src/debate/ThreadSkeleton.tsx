import { Skeleton } from '@/ui/Skeleton';

const CARDS = ['mr-14 h-40', 'ml-14 h-28', 'mr-14 h-24'];

/** While arguments are loading. */
export function ThreadSkeleton({ label }: { label: string }) {
  return (
    <Skeleton
      label={label}
      shapes={CARDS}
      className="mx-auto grid w-full max-w-[52rem] flex-1 content-start gap-4 px-3 py-4 sm:px-6"
    />
  );
}
