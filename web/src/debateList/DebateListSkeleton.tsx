const ROWS = ['w-4/5', 'w-3/5', 'w-full', 'w-2/3', 'w-3/4'];

/** Placeholder rows while debates are loading. */
export function DebateListSkeleton() {
  return (
    <div aria-hidden className="grid gap-5 px-3 pt-4">
      {ROWS.map((width) => (
        <div key={width} className="motion-safe:animate-pulse grid gap-2">
          <div className={`h-3.5 rounded bg-accent ${width}`} />
          <div className="h-3 w-2/5 rounded bg-accent" />
        </div>
      ))}
    </div>
  );
}
