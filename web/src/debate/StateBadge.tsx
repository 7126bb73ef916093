import { CircleDot, Gavel, Lock, OctagonPause } from 'lucide-react';
import { useT } from '@/i18n';
import { Badge } from '@/ui/badge';
import { stateTone } from '@/ui/roleStyles';

export function StateBadge({ state }: { state: string }) {
  const t = useT();
  const Icon =
    state === 'CLOSED'
      ? Lock
      : state === 'INTERVENTION_PENDING'
        ? OctagonPause
        : state === 'AWAITING_ARBITRATOR'
          ? Gavel
          : CircleDot;
  return (
    <Badge tone={stateTone(state)}>
      <Icon aria-hidden />
      {t.label('state', state)}
    </Badge>
  );
}
