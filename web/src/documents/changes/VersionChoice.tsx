import type { DocumentVersionEntry } from '@/api/types';
import { useT } from '@/i18n';
import { withoutMarks } from '@/ui/InlineText';

/** A select has no pages. Older versions can be compared from the list of versions. */
const MAX_CHOICES = 500;
/** In characters. */
const MAX_SUMMARY = 30;

interface VersionsProps {
  latest: number;
  /** The loaded versions, for the labels of the choices. */
  versions: readonly DocumentVersionEntry[];
  /** What a version is known as besides its number. */
  nameOf?: (version: number) => string | null;
}

interface VersionChoiceProps extends VersionsProps {
  /** The version that `shown` is compared with; null if it is shown by itself. */
  from: number | null;
  shown: number;
  onFrom: (version: number) => void;
  onShown: (version: number) => void;
}

/** Chooses the version that is shown, or the two that are compared. */
export function VersionChoice({ from, shown, onFrom, onShown, ...known }: VersionChoiceProps) {
  const t = useT();
  const label = from === null ? t('plan.version') : t('documents.compare.to');
  return (
    <div className="flex min-w-0 flex-1 basis-64 items-center gap-x-2">
      {from !== null && (
        <>
          <VersionSelect label={t('documents.compare.from')} chosen={from} {...known} onChoose={onFrom} />
          <span aria-hidden className="text-muted-foreground">
            →
          </span>
        </>
      )}
      <VersionSelect label={label} chosen={shown} {...known} onChoose={onShown} />
    </div>
  );
}

/** Where a list of choices is wider than a phone, its ends are not to be seen. */
function inShort(summary: string): string {
  const text = withoutMarks(summary);
  return text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY).trimEnd()}…` : text;
}

interface VersionSelectProps extends VersionsProps {
  label: string;
  chosen: number;
  onChoose: (version: number) => void;
}

function VersionSelect({ label, chosen, latest, versions, nameOf, onChoose }: VersionSelectProps) {
  const t = useT();
  const known = new Map(versions.map((entry) => [entry.version, entry]));
  const newest = Array.from({ length: Math.min(latest, MAX_CHOICES) }, (_, index) => latest - index);
  const choices = newest.includes(chosen) ? newest : [...newest, chosen];
  return (
    <select
      aria-label={label}
      value={chosen}
      onChange={(event) => onChoose(Number(event.target.value))}
      className="h-9 max-w-64 min-w-28 flex-1 rounded-lg border border-border bg-card px-2 text-[13px] text-ellipsis text-foreground focus-visible:outline-offset-0"
    >
      {choices.map((version) => {
        const entry = known.get(version);
        return (
          <option key={version} value={version}>
            {[
              `v${version}`,
              nameOf?.(version),
              ...(entry === undefined ? [] : [t.time(entry.created_at), inShort(entry.summary)]),
            ]
              .filter(Boolean)
              .join(' · ')}
          </option>
        );
      })}
    </select>
  );
}
