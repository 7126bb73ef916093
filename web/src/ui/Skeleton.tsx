import { useT } from '@/i18n';
import { cn } from './cn';

interface SkeletonProps {
  /** Told to screen readers. */
  label?: string;
  /** The classes of each shape: its size and place. */
  shapes: readonly string[];
  className: string;
}

/** Placeholder shapes while something is loading. */
function Skeleton({ label, shapes, className }: SkeletonProps) {
  return (
    <div className={cn('min-h-0 overflow-hidden', className)}>
      {label && (
        <p role="status" className="sr-only">
          {label}
        </p>
      )}
      {shapes.map((shape, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: shapes repeat
          key={index}
          aria-hidden
          className={cn('rounded-lg bg-accent motion-safe:animate-pulse', shape)}
        />
      ))}
    </div>
  );
}

const DEBATE_ROWS = ['w-4/5', 'w-3/5', 'w-full', 'w-2/3', 'w-3/4'].flatMap((width) => [
  `h-3.5 ${width}`,
  'h-3 mb-3 w-2/5',
]);

/** While debates are loading. */
export function DebateListSkeleton() {
  return <Skeleton shapes={DEBATE_ROWS} className="grid gap-2 px-3 pt-4" />;
}

const LINES = ['w-2/5', 'w-full', 'w-11/12', 'w-full', 'w-3/5', 'w-full', 'w-4/5'];

/** While a text is loading. */
export function TextSkeleton() {
  return (
    <Skeleton
      label={useT()('documents.loading')}
      shapes={LINES.map((width) => `h-4 ${width}`)}
      className="grid max-w-[46rem] gap-3 p-4 sm:p-6"
    />
  );
}
