import { type ReactNode, useId } from 'react';
import { cn } from './cn';

/** Of the hidden radio button, which stands at the top of its label: what gets the focus is scrolled into view with all of that. */
const HIDDEN = 'sr-only scroll-mb-11';

/** Classes of the group, of each label, of the chosen one, and of the radio button. */
const LOOKS = {
  segments: [
    'inline-flex rounded-lg border bg-background p-0.5',
    'rounded-md px-2.5 py-0.5 leading-6 whitespace-nowrap max-sm:py-2.5',
    'bg-arbitrator-soft text-arbitrator ring-1 ring-arbitrator',
    HIDDEN,
  ],
  pills: [
    'flex flex-wrap gap-1',
    'rounded-full border px-2 py-0.5 text-xs! max-sm:py-3',
    'border-arbitrator bg-arbitrator-soft text-arbitrator',
    HIDDEN,
  ],
  quiet: [
    // On a phone all of the width, in which five choices have room in Vietnamese, too.
    'inline-flex flex-wrap rounded-lg border p-0.5 max-sm:flex max-sm:w-full',
    'rounded-md px-2 text-center leading-6 whitespace-nowrap text-muted-foreground max-sm:grow max-sm:px-0.5 max-sm:leading-11 max-sm:text-xs!',
    'bg-arbitrator-soft text-arbitrator! ring-1 ring-arbitrator first-of-type:bg-accent first-of-type:text-foreground! first-of-type:ring-muted-foreground',
    HIDDEN,
  ],
  cards: [
    'grid gap-1',
    'flex items-start gap-2 rounded-lg border border-foreground/20 bg-card px-2.5 py-1.5 leading-tight max-sm:min-h-11',
    'border-arbitrator bg-arbitrator-soft ring-1 ring-arbitrator',
    // Hollow until it is chosen, in the dark theme, too, where browsers fill it.
    'mt-[3px] size-[13px] shrink-0 appearance-none rounded-full border border-muted-foreground outline-none checked:border-4 checked:border-arbitrator',
  ],
} as const;

interface ChoicesProps<T extends string> {
  label: string;
  /** Null if none is chosen yet. */
  chosen: T | null;
  choices: readonly (readonly [T, ReactNode])[];
  look?: keyof typeof LOOKS;
  className?: string;
  onChoose: (choice: T) => void;
}

/** Radio buttons: a few choices of which one is chosen. */
export function Choices<T extends string>(props: ChoicesProps<T>) {
  const { label, chosen, choices, look = 'segments', className, onChoose } = props;
  const name = useId();
  const [group, each, marked, radio] = LOOKS[look];
  return (
    <fieldset className={cn('min-w-0', group, className)}>
      <legend className="sr-only">{label}</legend>
      {choices.map(([choice, content]) => (
        <label
          key={choice}
          className={cn(
            'relative cursor-pointer text-[13px] font-medium transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-arbitrator',
            each,
            // Where the system chooses the colours, only the outline is left.
            choice === chosen ? [marked, 'forced-colors:outline'] : 'hover:bg-accent',
          )}
        >
          <input
            type="radio"
            name={name}
            className={radio}
            checked={choice === chosen}
            onChange={() => onChoose(choice)}
          />
          {content}
        </label>
      ))}
    </fieldset>
  );
}
