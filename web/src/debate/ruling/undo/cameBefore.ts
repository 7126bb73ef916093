import { ApiError, api } from '@/api/client';
import { handleAuthFailure } from '@/auth/access';
import type { Outcome } from '@/websocket/outbox';
import { RULED_ELSEWHERE } from '../ActionError';
import type { UnsentRuling } from './unsentRulings';

/** So many arguments are looked through for a ruling that is stored already. */
const MOST = 200;

/**
 * What came of a ruling before it is sent; null if it is to be sent. While the page was closed or the server away another ruling may have
 * been made and something else asked, which this one would answer then, with an option of other meaning.
 */
export async function cameBefore({ debateId, asked, action }: UnsentRuling): Promise<Outcome | null> {
  if (asked === null) return null;
  try {
    const { debate, arguments: args } = await api.debate(debateId, { after_seq: asked, limit: MOST });
    if (debate.ruling_request?.seq === asked) return null;
    const stored = args.find(({ type, content }) => type === 'RULING' && content === action.data.content);
    if (stored !== undefined) return { ok: true, argument: stored };
    return { ok: false, failure: { code: RULED_ELSEWHERE, message: '', current_state: debate.state } };
  } catch (error) {
    if (!(error instanceof ApiError) || error.failure.code === 'CONNECTION_ERROR') throw error;
    handleAuthFailure(error.failure);
    return { ok: false, failure: error.failure };
  }
}
