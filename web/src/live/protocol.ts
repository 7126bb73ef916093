import type { Argument, Debate, Failure, Role } from '@/api/types';

/** A wait that the server holds for a role, and since when. */
export interface Waiting {
  role: Role;
  since: string;
}

/** What the server says, as in the contract's WebSocket section. */
export type ServerEvent =
  | {
      event: 'initial_state';
      data: { debate?: Debate; arguments?: Argument[]; debates?: Debate[]; total?: number };
    }
  | { event: 'new_argument'; data: Argument }
  | { event: 'state_changed'; data: { debate_id: string; state: string; updated_at: string } }
  | { event: 'debate_changed'; data: Debate }
  | { event: 'presence'; data: { debate_id: string; waiting: Waiting[] } }
  | { event: 'accepted'; data: { request_id: string; argument: Argument } }
  | { event: 'error'; data: Failure & { request_id?: string } };

/** What the arbitrator can do. */
export type Action =
  | { event: 'submit_intervention'; data: { debate_id: string; content?: string } }
  | {
      event: 'submit_ruling';
      data: { debate_id: string; content: string; close: boolean; chosen_option?: number };
    };

export function parseEvent(text: string): ServerEvent | null {
  try {
    const message: unknown = JSON.parse(text);
    const valid = typeof message === 'object' && message !== null && 'event' in message && 'data' in message;
    return valid ? (message as ServerEvent) : null;
  } catch {
    return null;
  }
}

export function socketUrl(origin: string, query: Record<string, string | number | null>): string {
  const url = new URL('/ws', origin);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) url.searchParams.set(name, String(value));
  }
  return url.href;
}
