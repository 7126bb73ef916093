import type { Side } from '@/api/types';
import { atStart, type DebateView } from './debateView';

/** The sides that nobody has taken yet: they have written nothing but the motion, have no seat, and do not wait. */
export function missingSides(view: DebateView, waiting: readonly { role: string }[]): Side[] {
  const { debate, motion, items } = view;
  // Both have written what comes before the arguments that are loaded.
  if (!atStart(view)) return [];
  const answers = items.filter(({ id }) => id !== motion.id);
  return (['opponent', 'proposer'] as const).filter(
    (side) => !debate.seats[side] && [...answers, ...waiting].every(({ role }) => role !== side),
  );
}
