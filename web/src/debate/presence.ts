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
  | { kind: 'composing'; since: string }
  | { kind: 'away' };

/** A side waits while the server holds its request; if it is its turn and it does not wait, it is taken to be writing. */
export function presenceOf(side: Side, debate: Debate, waiting: readonly Waiting[]): Presence {
  const wait = waiting.find(({ role }) => role === side);
  if (wait !== undefined) return { kind: 'waiting', since: wait.since };
  const state = knownState(debate.state);
  if (state !== null && TURN[state] === side) return { kind: 'composing', since: debate.updated_at };
  return { kind: 'away' };
}
