import createClient, { type Middleware } from 'openapi-fetch';
import type { paths } from './schema';
import { token } from './token';
import type { Debate, DebateContext, Failure, StateName } from './types';

/** What every failed call throws: the server's error object, or `CONNECTION_ERROR` where none came. */
export class ApiError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

const UNREACHABLE: Failure = { code: 'CONNECTION_ERROR', message: 'The server cannot be reached.' };

const bearer: Middleware = {
  onRequest({ request }) {
    const secret = token.get();
    if (secret !== null) request.headers.set('authorization', `Bearer ${secret}`);
    return request;
  },
};

const client = createClient<paths>({ baseUrl: typeof location === 'undefined' ? '' : location.origin });
client.use(bearer);

type Answer<T> = { data?: { data: T } | undefined; error?: unknown };

async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error } = await call.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiError(UNREACHABLE);
  });
  if (data !== undefined) return data.data;
  throw new ApiError(isFailed(error) ? error.error : UNREACHABLE);
}

function isFailed(body: unknown): body is { error: Failure } {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';
}

export interface Range {
  limit?: number;
  before_seq?: number;
  after_seq?: number;
}

export interface ListQuery {
  q?: string;
  state?: StateName;
  limit?: number;
  offset?: number;
}

export const api = {
  debate(id: string, range: Range, signal?: AbortSignal): Promise<DebateContext> {
    return unwrap(client.GET('/debates/{id}', { params: { path: { id }, query: range }, signal }));
  },
  debates(query: ListQuery, signal?: AbortSignal): Promise<{ debates: Debate[]; total: number }> {
    return unwrap(client.GET('/debates', { params: { query }, signal }));
  },
};

export type Api = typeof api;

/** A token for this tab, in return for the code of a sign-in link. */
export function exchange(code: string): Promise<{ token: string }> {
  return unwrap(client.POST('/sign-in', { body: { code } }));
}
