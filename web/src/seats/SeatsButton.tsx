import { KeyRound } from 'lucide-react';
import { lazy } from 'react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { MenuButton } from '@/ui/MenuButton';
import { seatsLabel } from './seatsLabel';

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
  if (!seats.proposer && !seats.opponent) return null;
  return (
    <MenuButton icon={KeyRound} label={seatsLabel(t, seats)} load={load}>
      <SeatsMenu debateId={debate.id} seats={seats} closed={debate.state === 'CLOSED'} onFreed={onFreed} />
    </MenuButton>
  );
}
