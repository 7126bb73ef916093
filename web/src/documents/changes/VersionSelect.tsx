import type { DocumentVersionEntry } from '@/api/types';
import { useT } from '@/i18n';

/** A select has no pages. Older versions can be compared from the list of versions. */
const MAX_CHOICES = 500;

interface VersionSelectProps {
  label: string;
  chosen: number;
  latest: number;
  versions: readonly DocumentVersionEntry[];
  onChoose: (version: number) => void;
}

export function VersionSelect({ label, chosen, latest, versions, onChoose }: VersionSelectProps) {
  const t = useT();
  const known = new Map(versions.map((entry) => [entry.version, entry]));
  const newest = Array.from({ length: Math.min(latest, MAX_CHOICES) }, (_, index) => latest - index);
  const choices = newest.includes(chosen) ? newest : [...newest, chosen];
  return (
    <select
      aria-label={label}
      value={chosen}
      onChange={(event) => onChoose(Number(event.target.value))}
      className="h-9 max-w-[min(20rem,40vw)] min-w-0 rounded-lg border border-border bg-card px-2 text-sm text-foreground focus-visible:outline-offset-0"
    >
      {choices.map((version) => {
        const entry = known.get(version);
        return (
          <option key={version} value={version}>
            {entry === undefined
              ? `v${version}`
              : `v${version} · ${t.time(entry.created_at)} · ${entry.summary}`}
          </option>
        );
      })}
    </select>
  );
}
