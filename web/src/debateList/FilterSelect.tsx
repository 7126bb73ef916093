import { ChevronDown } from 'lucide-react';
import { useT } from '@/i18n';

interface FilterSelectProps<T extends string> {
  name: 'state' | 'type';
  label: string;
  all: string;
  values: readonly T[];
  /** Null for all of them. */
  chosen: T | null;
  onChoose: (chosen: T | null) => void;
}

export function FilterSelect<T extends string>(props: FilterSelectProps<T>) {
  const { name, label, all, values, chosen, onChoose } = props;
  const t = useT();
  return (
    <div className="relative min-w-0">
      <select
        aria-label={label}
        value={chosen ?? ''}
        onChange={({ target }) => onChoose((target.value || null) as T | null)}
        className="h-9 w-full appearance-none truncate rounded-lg border border-border bg-card pr-7 pl-3 text-[13px] text-foreground focus-visible:outline-offset-0"
      >
        <option value="">{all}</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {t.label(name, value)}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 size-4 -translate-y-1/2 text-muted-foreground"
      />
    </div>
  );
}
