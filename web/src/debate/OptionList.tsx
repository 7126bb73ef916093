import type { AppealOption } from '@/api/types';
import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import { optionLabel } from './optionLabel';

interface OptionListProps {
  options: readonly AppealOption[];
  /** Without the details. */
  compact?: boolean;
}

export function OptionList({ options, compact = false }: OptionListProps) {
  const t = useT();
  return (
    <section aria-label={t('argument.options')} className={compact ? 'mt-3' : 'mt-4'}>
      <ol className="divide-y divide-border overflow-hidden rounded-xl border border-border">
        {options.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: options have no other key
          <li key={index} className={cn('flex gap-3 px-3.5', compact ? 'py-1.5' : 'py-2.5')}>
            <span aria-hidden className="text-sm font-semibold text-muted-foreground tabular-nums">
              {index + 1}
            </span>
            <div dir="auto" className="min-w-0 wrap-anywhere">
              <p className="text-sm font-medium">{optionLabel(option, t('ruling.other'))}</p>
              {!compact && option.detail && (
                <p className="mt-0.5 text-sm whitespace-pre-wrap text-muted-foreground">{option.detail}</p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
