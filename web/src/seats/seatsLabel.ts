import type { Seats, Side } from '@/api/types';
import type { Translate } from '@/i18n';

export const SIDES: readonly Side[] = ['proposer', 'opponent'];

/** Whether a seat is taken. */
export function seatLabel(t: Translate, seats: Seats, side: Side): string {
  return `${t.label('role', side)}: ${t(seats[side] ? 'seats.taken' : 'seats.free')}`;
}

/** The name of the button: who holds a seat. */
export function seatsLabel(t: Translate, seats: Seats): string {
  return `${t('seats.title')}. ${SIDES.map((side) => seatLabel(t, seats, side)).join(', ')}`;
}
