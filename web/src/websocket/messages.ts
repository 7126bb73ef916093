import { withVisibleTexts } from '@/lib/hiddenCharacters';
import { searchOf } from '@/lib/router';
import type { components } from './schema';

type Messages = components['schemas'];

/** What the arbitrator can do. */
export type Action = Messages['submit_intervention'] | RulingAction;

export type RulingAction = Messages['submit_ruling'];

/** A ruling as it is sent over REST. */
export function rulingBody({ data }: RulingAction, requestId: string) {
  const { debate_id: _, request_id: __, ...ruling } = data;
  return { ...ruling, client_request_id: requestId };
}

/** Every message that the server sends, about one debate or about the list. */
export type ServerMessage = Exclude<Extract<Messages[keyof Messages], { event: string }>, Action>;

/** Which roles wait and which are silent, and since when. */
export type Presence = Pick<Messages['presence']['data'], 'waiting' | 'silent'>;

export const NOBODY: Presence = { waiting: [], silent: [] };

export function parseMessage(text: string): ServerMessage | null {
  try {
    const message: unknown = JSON.parse(text);
    const valid = typeof message === 'object' && message !== null && 'event' in message && 'data' in message;
    return valid ? withVisibleTexts(message as ServerMessage) : null;
  } catch {
    return null;
  }
}

export function socketUrl(origin: string, query: Record<string, string | number | null>): string {
  const url = new URL('/ws', origin);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = searchOf(query);
  return url.href;
}
