import { ChevronDown } from 'lucide-react';

interface FilterSelectProps {
  label: string;
  all: string;
  value: string | null;
  choices: readonly { value: string; label: string }[];
  /** The value is empty if all are chosen. */
  onChange: (value: string) => void;
}

export function FilterSelect({ label, all, value, choices, onChange }: FilterSelectProps) {
  return (
    <div className="relative min-w-0">
      <select
        aria-label={label}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 w-full appearance-none truncate rounded-lg border border-border bg-card pr-7 pl-3 text-[13px] text-foreground focus-visible:outline-offset-0"
      >
        <option value="">{all}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
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
