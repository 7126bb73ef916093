import { useT } from '@/i18n';

const LINES = ['w-2/5', 'w-full', 'w-11/12', 'w-full', 'w-3/5', 'w-full', 'w-4/5'];

/** Placeholder lines while a text is loading. */
export function TextSkeleton() {
  const t = useT();
  return (
    <div className="p-4 sm:p-6">
      <p role="status" className="sr-only">
        {t('documents.loading')}
      </p>
      <div aria-hidden className="grid max-w-[46rem] gap-3">
        {LINES.map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: widths repeat
          <div key={index} className={`motion-safe:animate-pulse h-4 rounded bg-accent ${width}`} />
        ))}
      </div>
    </div>
  );
}
