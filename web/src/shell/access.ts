import { ApiError, exchange } from '@/api/client';
import { token } from '@/api/token';
import type { Failure } from '@/api/types';
import { hasSignInLink, takeCode } from './signInLink';
import { createStore } from './store';

/** Why a token is asked for: there is none, the server does not know it, or the link that should have spared it is stale. */
export type Asked = 'missing' | 'wrong' | 'stale';

/** Whether the server lets us in: it asks for a token only where it has one. */
export type Access = 'open' | 'entering' | Asked;

export const access = createStore<Access>(hasSignInLink() ? 'entering' : 'open');

export function askForToken(reason: Asked): void {
  access.set(reason);
}

export function signIn(secret: string): void {
  token.set(secret);
  access.set('open');
}

/** Signs in with the code of the link that this page was opened by. */
export async function enter(): Promise<void> {
  const code = takeCode();
  if (code === null) return;
  try {
    signIn((await exchange(code)).token);
  } catch (cause) {
    const isStale = cause instanceof ApiError && cause.failure.code === 'AUTH_FAILED';
    // Whoever signed in before may have opened the link a second time.
    access.set(isStale && token.get() === null ? 'stale' : 'open');
  }
}

export function signOut(): void {
  token.set(null);
  access.set('missing');
}

/** Every failed call passes here: a refused token is asked for anew wherever it happened. */
export function noteFailure(failure: Failure): void {
  if (failure.code === 'AUTH_FAILED') askForToken(token.get() === null ? 'missing' : 'wrong');
}
