import { Check, Lock, MoveRight } from 'lucide-react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { Badge } from '@/ui/badge';
import { optionLabel } from './optionLabel';

/** The option that a ruling chose, and whether it closed the debate. */
export function RulingOutcome({ ruling, appeal }: { ruling: Argument; appeal: Argument | null }) {
  const t = useT();
  const chosen = ruling.chosen_option ?? null;
  const option = chosen === null ? undefined : appeal?.options?.[chosen];
  const label = option && optionLabel(option, t('ruling.other'));
  return (
    <p className="mb-2 flex flex-wrap gap-1.5">
      {chosen !== null && (
        <Badge tone="arbitrator" className="max-w-full bg-card! whitespace-normal! wrap-anywhere">
          <Check aria-hidden />
          {label === undefined
            ? t('argument.choseNumber', { n: chosen + 1 })
            : t('argument.chose', { n: chosen + 1, label })}
        </Badge>
      )}
      <Badge tone="quiet" className="bg-card!">
        {ruling.close ? <Lock aria-hidden /> : <MoveRight aria-hidden />}
        {ruling.close ? t('argument.closed') : t('argument.continued')}
      </Badge>
    </p>
  );
}
