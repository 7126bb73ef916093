import { token } from '@/api/client';
import type { RulingAction } from './messages';

/** Sends a ruling while the page is left, which waits for no answer: whether it was stored is asked under its request id. */
export function sendRulingOnLeaving(
  { debate_id, request_id: _, ...ruling }: RulingAction['data'],
  requestId: string,
): void {
  const secret = token.get();
  const headers = {
    'content-type': 'application/json',
    ...(secret !== null && { authorization: `Bearer ${secret}` }),
  };
  const body = JSON.stringify({ ...ruling, client_request_id: requestId });
  // Browsers take 64 KiB at most; more is sent by the next page, as what cannot be sent now.
  fetch(`/debates/${debate_id}/ruling`, { method: 'POST', keepalive: true, headers, body }).catch(() => {});
}
