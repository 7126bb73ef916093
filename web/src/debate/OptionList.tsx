import type { AppealOption } from '@/api/types';
import { useT } from '@/i18n';
import { optionLabel } from './optionLabel';

export function OptionList({ options }: { options: readonly AppealOption[] }) {
  const t = useT();
  return (
    <section aria-label={t('argument.options')} className="mt-4">
      <ol className="divide-y divide-border overflow-hidden rounded-xl border border-border">
        {options.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: options have no other key
          <li key={index} className="flex gap-3 px-3.5 py-2.5">
            <span aria-hidden className="text-sm font-semibold text-muted-foreground tabular-nums">
              {index + 1}
            </span>
            <div dir="auto" className="min-w-0 wrap-anywhere">
              <p className="text-sm font-medium">{optionLabel(option, t('ruling.other'))}</p>
              {option.detail && (
                <p className="mt-0.5 text-sm whitespace-pre-wrap text-muted-foreground">{option.detail}</p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
