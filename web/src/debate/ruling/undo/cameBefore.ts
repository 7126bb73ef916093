import { ApiError, api } from '@/api/client';
import { handleAuthFailure } from '@/auth/access';
import { rulingBody } from '@/websocket/messages';
import { type Outcome, WITHDRAWN } from '@/websocket/outbox';
import { RULED_ELSEWHERE } from '../ActionError';
import type { UnsentRuling } from './unsentRulings';

/**
 * What came of a ruling before it is sent; null if it is to be sent. While the page was closed or the server away another ruling may have
 * been made and something else asked, which this one would answer then, with an option of other meaning.
 */
export async function cameBefore(ruling: UnsentRuling): Promise<Outcome | null> {
  const { debateId, asked, removed } = ruling;
  try {
    const { debate } = await api.debate(debateId, { limit: 0 });
    if (debate.ruling_request?.seq === asked && !removed) return null;
    const argument = await storedAs(ruling);
    if (argument !== null) return { ok: true, argument };
    if (removed) return { ok: false, failure: WITHDRAWN };
    return { ok: false, failure: { code: RULED_ELSEWHERE, message: '', current_state: debate.state } };
  } catch (error) {
    if (!(error instanceof ApiError) || error.failure.code === 'CONNECTION_ERROR') throw error;
    handleAuthFailure(error.failure);
    return { ok: false, failure: error.failure };
  }
}

/** What the server stored under its request id, which a dry run tells; null if nothing. */
async function storedAs({ debateId, action, requestId }: UnsentRuling) {
  try {
    const { argument, replayed } = await api.previewRuling(debateId, rulingBody(action, requestId));
    return replayed ? argument : null;
  } catch (error) {
    if (error instanceof ApiError && error.failure.code === 'ACTION_NOT_ALLOWED') return null;
    throw error;
  }
}
