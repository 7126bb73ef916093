import { token } from '@/api/token';
import type { Failure } from '@/api/types';
import { createStore } from './store';

/** Whether the server lets us in: it asks for a token only where it has one. */
export type Access = 'open' | 'missing' | 'wrong';

export const access = createStore<Access>('open');

export function askForToken(reason: Exclude<Access, 'open'>): void {
  access.set(reason);
}

export function signIn(secret: string): void {
  token.set(secret);
  access.set('open');
}

export function signOut(): void {
  token.set(null);
  access.set('missing');
}

/** Every failed call passes here: a refused token is asked for anew wherever it happened. */
export function noteFailure(failure: Failure): void {
  if (failure.code === 'AUTH_FAILED') askForToken(token.get() === null ? 'missing' : 'wrong');
}
