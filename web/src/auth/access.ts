import { ApiError, exchangeSignInCode, token } from '@/api/client';
import type { Failure } from '@/api/types';
import { createStore } from '@/lib/store';

const PREFIX = '#sign-in=';

/** Why a token is needed: there is none, the server rejected it, or the sign-in link was used before or has expired. */
export type SignInReason = 'missing' | 'wrong' | 'staleLink';

/** `open` until the server rejects a request: it needs a token only if it is configured with one. */
type Access = 'open' | 'signingIn' | SignInReason;

export const access = createStore<Access>(hasSignInLink() ? 'signingIn' : 'open');

export function signIn(secret: string): void {
  token.set(secret);
  access.set('open');
}

/** Exchanges the code of a sign-in link for a token, if the page was opened by one. */
export async function signInFromLink(): Promise<void> {
  const code = takeSignInCode();
  if (code === null) return;
  try {
    signIn((await exchangeSignInCode(code)).token);
  } catch (cause) {
    const isRejected = cause instanceof ApiError && cause.failure.code === 'AUTH_FAILED';
    // If the link is opened a second time, the tab may have its token already.
    access.set(isRejected && token.get() === null ? 'staleLink' : 'open');
  }
}

export function signOut(): void {
  token.set(null);
  access.set('missing');
}

/** Shows the sign-in form if a request failed for its token. To be called for every failed request. */
export function handleAuthFailure(failure: Failure): void {
  if (failure.code === 'AUTH_FAILED') access.set(token.get() === null ? 'missing' : 'wrong');
}

// The server prints a sign-in link when it starts. Its code is in the hash, which browsers never send.
function hasSignInLink(): boolean {
  return typeof location !== 'undefined' && location.hash.startsWith(PREFIX);
}

/** Reads the code and removes it from the address, so that it is not kept in history or bookmarks. */
function takeSignInCode(): string | null {
  if (!hasSignInLink()) return null;
  const code = location.hash.slice(PREFIX.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}
