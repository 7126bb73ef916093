import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';

interface ChoicesProps<T extends string> {
  label: string;
  chosen: T;
  choices: readonly (readonly [T, string])[];
  onChoose: (choice: T) => void;
}

/** A few choices in a row, of which one is pressed. */
export function Choices<T extends string>({ label, chosen, choices, onChoose }: ChoicesProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" aria-label={label} className="inline-flex rounded-lg border bg-background p-0.5">
      {choices.map(([name, text]) => (
        <Button
          key={name}
          variant="ghost"
          size="sm"
          aria-pressed={chosen === name}
          className={cn(
            'h-7! rounded-md! px-2.5!',
            chosen === name && 'bg-card text-foreground! shadow-subtle hover:bg-card!',
          )}
          onClick={() => onChoose(name)}
        >
          {text}
        </Button>
      ))}
    </div>
  );
}
