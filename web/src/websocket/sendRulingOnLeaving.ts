import { token } from '@/api/client';
import { type RulingAction, rulingBody } from './messages';

/** Sends a ruling while the page is left, which waits for no answer: whether it was stored is asked under its request id. */
export function sendRulingOnLeaving(action: RulingAction, requestId: string): void {
  const secret = token.get();
  const headers = {
    'content-type': 'application/json',
    ...(secret !== null && { authorization: `Bearer ${secret}` }),
  };
  const body = JSON.stringify(rulingBody(action, requestId));
  // Browsers take 64 KiB at most; more is sent by the next page, as what cannot be sent now.
  fetch(`/debates/${action.data.debate_id}/ruling`, { method: 'POST', keepalive: true, headers, body }).catch(
    () => {},
  );
}
