const CARDS = ['mr-14 h-40', 'ml-14 h-28', 'mr-14 h-24'];

/** Placeholder cards while arguments are loading. */
export function ThreadSkeleton({ label }: { label: string }) {
  return (
    <div className="min-h-0 flex-1 overflow-hidden">
      <p role="status" className="sr-only">
        {label}
      </p>
      <div aria-hidden className="mx-auto grid max-w-[52rem] gap-4 px-3 py-4 sm:px-6">
        {CARDS.map((shape) => (
          <div key={shape} className={`motion-safe:animate-pulse rounded-2xl bg-accent ${shape}`} />
        ))}
      </div>
    </div>
  );
}
