import type { DocumentVersionEntry } from '@/api/types';
import { useT } from '@/i18n';
import { cn } from '@/ui/cn';

/** A select has no pages. Older versions can be compared from the list of versions. */
const MAX_CHOICES = 500;

interface VersionSelectProps {
  label: string;
  chosen: number;
  latest: number;
  versions: readonly DocumentVersionEntry[];
  /** What a version is known as besides its number. */
  nameOf?: (version: number) => string | null;
  className?: string;
  onChoose: (version: number) => void;
}

export function VersionSelect(props: VersionSelectProps) {
  const { label, chosen, latest, versions, nameOf, className, onChoose } = props;
  const t = useT();
  const known = new Map(versions.map((entry) => [entry.version, entry]));
  const newest = Array.from({ length: Math.min(latest, MAX_CHOICES) }, (_, index) => latest - index);
  const choices = newest.includes(chosen) ? newest : [...newest, chosen];
  return (
    <select
      aria-label={label}
      value={chosen}
      onChange={(event) => onChoose(Number(event.target.value))}
      className={cn(
        'h-9 max-w-[min(20rem,40vw)] min-w-0 rounded-lg border border-border bg-card px-2 text-sm text-foreground focus-visible:outline-offset-0',
        className,
      )}
    >
      {choices.map((version) => {
        const entry = known.get(version);
        return (
          <option key={version} value={version}>
            {[
              `v${version}`,
              nameOf?.(version),
              ...(entry === undefined ? [] : [t.time(entry.created_at), entry.summary]),
            ]
              .filter(Boolean)
              .join(' · ')}
          </option>
        );
      })}
    </select>
  );
}
