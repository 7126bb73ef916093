import { type Debate, knownState, type Role, type Side, type StateName } from '@/api/types';
import type { Waiting } from '@/websocket/messages';

/** For display only: what is allowed, the server decides. */
const TURN: Record<StateName, Role | null> = {
  AWAITING_OPPONENT: 'opponent',
  AWAITING_PROPOSER: 'proposer',
  AWAITING_ARBITRATOR: 'arbitrator',
  INTERVENTION_PENDING: 'arbitrator',
  CLOSED: null,
};

export type Presence =
  | { kind: 'waiting'; since: string }
  | { kind: 'silent'; since: string }
  | { kind: 'turn'; since: string }
  | { kind: 'absent' };

/** Who waits and who is silent, as the server tells. */
export interface PresenceTold {
  readonly waiting: readonly Waiting[];
  readonly silent: readonly Waiting[];
}

/** Nobody knows whether a side whose turn it is writes: it is shown that it has the turn, until the server says that it is silent. */
export function presenceOf(side: Side, debate: Debate, { waiting, silent }: PresenceTold): Presence {
  const of = (told: readonly Waiting[]) => told.find(({ role }) => role === side);
  const [wait, silence] = [of(waiting), of(silent)];
  if (wait !== undefined) return { kind: 'waiting', since: wait.since };
  if (silence !== undefined) return { kind: 'silent', since: silence.since };
  const state = knownState(debate.state);
  if (state !== null && TURN[state] === side) return { kind: 'turn', since: debate.updated_at };
  return { kind: 'absent' };
}
