import { KeyRound } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { IconButton } from '@/ui/iconButton';

const load = () => import('./SeatsMenu');
const SeatsMenu = lazy(load);

interface SeatsButtonProps {
  debate: Debate;
  onFreed: (debate: Debate) => void;
}

/** Who holds a seat, where anybody does. */
export function SeatsButton({ debate, onFreed }: SeatsButtonProps) {
  const t = useT();
  const { seats } = debate;
  const taken = seats.proposer || seats.opponent;
  useEffect(() => {
    if (taken) void load();
  }, [taken]);
  if (!taken) return null;
  return (
    <Suspense fallback={<IconButton disabled icon={KeyRound} label={t('seats.title')} />}>
      <SeatsMenu debateId={debate.id} seats={seats} closed={debate.state === 'CLOSED'} onFreed={onFreed} />
    </Suspense>
  );
}
