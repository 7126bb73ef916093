import type { Side, Turn } from '@/api/types';
import type { Waiting } from '@/websocket/messages';

export type Presence = { kind: 'waiting' | 'silent' | 'turn'; since: string } | { kind: 'absent' };

/** Who waits and who is silent, as the server tells. */
export interface PresenceTold {
  readonly waiting: readonly Waiting[];
  readonly silent: readonly Waiting[];
}

/** Nobody knows whether a side whose turn it is writes: it is shown that it has the turn, until the server says that it is silent. */
export function presenceOf(
  side: Side,
  turns: readonly Turn[],
  updatedAt: string,
  { waiting, silent }: PresenceTold,
): Presence {
  const of = (told: readonly Waiting[]) => told.find(({ role }) => role === side);
  const [wait, silence] = [of(waiting), of(silent)];
  if (wait !== undefined) return { kind: 'waiting', since: wait.since };
  if (silence !== undefined) return { kind: 'silent', since: silence.since };
  const hasTurn = turns.some(({ role, moves }) => role === side && moves.length > 0);
  return hasTurn ? { kind: 'turn', since: updatedAt } : { kind: 'absent' };
}
