import { type Debate, knownState, type Side } from '@/api/types';
import type { Waiting } from '@/live/protocol';
import { TURN } from './sides';

export type Presence =
  | { kind: 'waiting'; since: string }
  | { kind: 'composing'; since: string }
  | { kind: 'away' };

/**
 * A side whose wait the server holds listens. A side whose turn it is and that does not wait is composing, since the
 * last argument came; any other is away.
 */
export function presenceOf(side: Side, debate: Debate, waiting: readonly Waiting[]): Presence {
  const wait = waiting.find(({ role }) => role === side);
  if (wait !== undefined) return { kind: 'waiting', since: wait.since };
  const state = knownState(debate.state);
  if (state !== null && TURN[state] === side) return { kind: 'composing', since: debate.updated_at };
  return { kind: 'away' };
}
