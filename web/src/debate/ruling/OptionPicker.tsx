import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import { optionLabel } from '../optionLabel';
import type { Choice } from './appealOptions';

interface OptionPickerProps {
  choices: readonly Choice[];
  chosen: number | null;
  disabled: boolean;
  onChoose: (index: number) => void;
}

export function OptionPicker({ choices, chosen, disabled, onChoose }: OptionPickerProps) {
  const t = useT();
  return (
    <fieldset disabled={disabled} className="mb-3">
      <legend className="sr-only">{t('ruling.options')}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map(({ option }, index) => (
          <label
            // biome-ignore lint/suspicious/noArrayIndexKey: options have no other key
            key={index}
            className={cn(
              'flex cursor-pointer items-start gap-3 rounded-xl border px-3.5 py-2.5 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-arbitrator',
              chosen === index ? 'border-arbitrator bg-arbitrator-soft' : 'border-border hover:bg-accent',
            )}
          >
            <input
              type="radio"
              name="option"
              className="mt-1 accent-arbitrator outline-none"
              checked={chosen === index}
              onChange={() => onChoose(index)}
            />
            <span dir="auto" className="min-w-0 flex-1 wrap-anywhere">
              <span className="block text-sm font-medium">{optionLabel(option, t('ruling.other'))}</span>
              {option.detail && (
                <span
                  className="mt-0.5 line-clamp-3 block text-[13px] text-muted-foreground"
                  title={option.detail}
                >
                  {option.detail}
                </span>
              )}
            </span>
            {index < 9 && (
              <kbd
                aria-hidden
                className="mt-0.5 text-[11px] text-muted-foreground tabular-nums max-md:hidden"
              >
                {index + 1}
              </kbd>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
