import { KeyRound, LockOpen } from 'lucide-react';
import { useState } from 'react';
import { ApiError, api } from '@/api/client';
import type { Debate, Seats, Side } from '@/api/types';
import { useT } from '@/i18n';
import { Confirm } from '@/ui/confirm';
import { IconButton } from '@/ui/iconButton';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/ui/menu';
import { toast } from '@/ui/toast';
import { SIDES, seatLabel, seatsLabel } from './seatsLabel';

interface SeatsMenuProps {
  debateId: string;
  seats: Seats;
  closed: boolean;
  onFreed: (debate: Debate) => void;
}

/** Says which seats are taken, and frees one after a confirmation. */
export default function SeatsMenu({ debateId, seats, closed, onFreed }: SeatsMenuProps) {
  const t = useT();
  const [freeing, setFreeing] = useState<Side | null>(null);
  const state = (side: Side) => seatLabel(t, seats, side);

  async function free(side: Side) {
    try {
      onFreed(await api.freeSeat(debateId, side));
      toast(t('seats.released'));
    } catch (error) {
      if (error instanceof ApiError) toast(t.failure(error.failure), 'bad');
    }
  }

  return (
    <>
      <Menu trigger={<IconButton icon={KeyRound} label={seatsLabel(t, seats)} />}>
        <MenuLabel>{t('seats.title')}</MenuLabel>
        <p className="max-w-72 px-2.5 pb-2 text-xs text-muted-foreground">{t('seats.text')}</p>
        <MenuSeparator />
        {SIDES.map((side) => (
          <MenuItem
            key={side}
            disabled={!seats[side] || closed}
            aria-label={seats[side] ? t('seats.release.of', { role: t.label('role', side) }) : state(side)}
            onSelect={() => setFreeing(side)}
          >
            {seats[side] ? <KeyRound aria-hidden /> : <LockOpen aria-hidden />}
            <span className="flex-1">{state(side)}</span>
            {seats[side] && !closed && (
              <span className="text-xs text-muted-foreground">{t('seats.release')}</span>
            )}
          </MenuItem>
        ))}
      </Menu>
      <Confirm
        open={freeing !== null}
        onClose={() => setFreeing(null)}
        title={freeing === null ? '' : t('seats.release.title', { role: t.label('role', freeing) })}
        description={t('seats.release.text')}
        confirm={t('seats.release')}
        cancel={t('dialog.cancel')}
        onConfirm={() => freeing !== null && void free(freeing)}
      />
    </>
  );
}
