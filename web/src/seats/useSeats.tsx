import { KeyRound, LockOpen } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ApiError, api } from '@/api/client';
import { type Debate, SIDES, type Side } from '@/api/types';
import { useT } from '@/i18n';
import { Confirm } from '@/ui/Confirm';
import { MenuItem, MenuLabel, MenuSeparator } from '@/ui/menu';
import { toast } from '@/ui/toast';

/** Items of a menu, where anybody holds a seat: who does, and, unless the debate is over, freeing one after a confirmation. */
export function useSeats(
  { id, seats }: Debate,
  over: boolean,
  onFreed: (debate: Debate) => void,
  /** The program of each side's agent, where it is known. */
  programs: Readonly<Record<Side, string | null>>,
  /** Whose seats are meant. */
  sides: readonly Side[] = SIDES,
): { items: ReactNode; confirm: ReactNode } {
  const t = useT();
  const [freeing, setFreeing] = useState<Side | null>(null);
  const nameOf = (side: Side) => {
    const program = programs[side];
    return program === null ? t.label('role', side) : `${t.label('role', side)} (${program})`;
  };
  const state = (side: Side) => `${nameOf(side)}: ${t(seats[side] ? 'seats.taken' : 'seats.free')}`;

  async function free(side: Side) {
    try {
      onFreed((await api.freeSeat(id, side)).debate);
      toast(t('seats.released', { role: t.label('role', side) }));
    } catch (error) {
      if (error instanceof ApiError) toast(t.failure(error.failure), 'bad');
    }
  }

  return {
    items: SIDES.some((side) => seats[side]) && (
      <>
        <MenuSeparator />
        <MenuLabel>{t('seats.title')}</MenuLabel>
        <p className="max-w-72 px-2.5 pb-1 text-xs text-muted-foreground">{t('seats.text')}</p>
        {sides.map((side) => (
          <MenuItem
            key={side}
            disabled={!seats[side] || over}
            aria-label={seats[side] ? t('seats.release.of', { role: nameOf(side) }) : state(side)}
            onSelect={() => setFreeing(side)}
          >
            {seats[side] ? <KeyRound aria-hidden /> : <LockOpen aria-hidden />}
            <span className="flex-1">{state(side)}</span>
            {seats[side] && !over && (
              <span className="text-xs font-medium text-arbitrator">{t('seats.release')}</span>
            )}
          </MenuItem>
        ))}
      </>
    ),
    confirm: (
      <Confirm
        open={freeing !== null}
        onClose={() => setFreeing(null)}
        title={freeing === null ? '' : t('seats.release.title', { role: nameOf(freeing) })}
        description={t('seats.release.text')}
        confirm={t('seats.release')}
        onConfirm={() => freeing !== null && void free(freeing)}
      />
    ),
  };
}
