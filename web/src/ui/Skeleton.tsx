import { cn } from './cn';

interface SkeletonProps {
  /** Told to screen readers. */
  label?: string;
  /** The classes of each shape: its size and place. */
  shapes: readonly string[];
  className: string;
}

/** Placeholder shapes while something is loading. */
export function Skeleton({ label, shapes, className }: SkeletonProps) {
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
