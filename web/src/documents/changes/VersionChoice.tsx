import type { DocumentVersionEntry } from '@/api/types';
import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import { Select } from '@/ui/fields';
import { withoutMarks } from '@/ui/InlineText';

/** A select has no pages. Older versions can be compared from the list of versions. */
const MAX_CHOICES = 500;
/** In characters. */
const MAX_SUMMARY = 24;

interface VersionChoiceProps {
  /** The version that `shown` is compared with; null if it is shown by itself. */
  from: number | null;
  shown: number;
  latest: number;
  /** The loaded versions, for the labels of the choices. */
  versions: readonly DocumentVersionEntry[];
  /** What a version is known as besides its number. */
  nameOf?: (version: number) => string | null;
  onFrom: (version: number) => void;
  onShown: (version: number) => void;
}

/** Where a list of choices is wider than a phone, its ends are not to be seen. */
function inShort(summary: string): string {
  const text = withoutMarks(summary);
  return text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY).trimEnd()}…` : text;
}

/** Chooses the version that is shown, or the two that are compared. */
export function VersionChoice(props: VersionChoiceProps) {
  const { from, shown, latest, versions, nameOf, onFrom, onShown } = props;
  const t = useT();
  const known = new Map(versions.map((entry) => [entry.version, entry]));
  const newest = Array.from({ length: Math.min(latest, MAX_CHOICES) }, (_, index) => latest - index);
  function nameFor(version: number): string {
    const entry = known.get(version);
    // The closed list has room for little, and what is shown is told in full beside it.
    const name = nameOf?.(version) ?? (entry && inShort(entry.summary));
    return [`v${version}`, name].filter(Boolean).join(' · ');
  }
  const select = (label: string, chosen: number, onChoose: (version: number) => void) => (
    <Select
      label={label}
      value={String(chosen)}
      choices={[...new Set([...newest, chosen])].map((version) => [String(version), nameFor(version)])}
      onChoose={(version) => onChoose(Number(version))}
      className="h-8 max-w-64 min-w-0 flex-1 px-2 text-ellipsis max-sm:h-11"
    />
  );
  return (
    // On a phone two names need a line of their own.
    <div className={cn('flex min-w-0 flex-1 items-center gap-x-2', from !== null && 'max-sm:basis-full')}>
      {from !== null && (
        <>
          {select(t('documents.compare.from'), from, onFrom)}
          <span aria-hidden className="text-muted-foreground">
            →
          </span>
        </>
      )}
      {select(t(from === null ? 'plan.version' : 'documents.compare.to'), shown, onShown)}
    </div>
  );
}
