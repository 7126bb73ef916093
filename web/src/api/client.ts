import createClient from 'openapi-fetch';
import { withVisibleTexts } from '@/lib/hiddenCharacters';
import { createStore } from '@/lib/store';
import type { components, paths } from './schema';
import type { DebateContext, Failure, Side } from './types';

type Schemas = components['schemas'];

/** Thrown by every failed request: has the server's error object, or `CONNECTION_ERROR` if there was no answer. */
export class ApiError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

const UNREACHABLE: Failure = { code: 'CONNECTION_ERROR', message: 'The server cannot be reached.' };

// In `sessionStorage`: the token belongs to the tab and is gone when the tab is closed.
const TOKEN_KEY = 'aweave.token';

export const token = createStore<string | null>(null, {
  read: () => sessionStorage.getItem(TOKEN_KEY),
  write: (value) =>
    value === null ? sessionStorage.removeItem(TOKEN_KEY) : sessionStorage.setItem(TOKEN_KEY, value),
});

const client = createClient<paths>({
  baseUrl: typeof location === 'undefined' ? '' : location.origin,
  fetch: (request) => fetch(request),
});
client.use({
  onRequest({ request }) {
    const secret = token.get();
    if (secret !== null) request.headers.set('authorization', `Bearer ${secret}`);
    return request;
  },
});

type Result<T> = { data?: { data: T } | string | undefined; error?: unknown; response: Response };

async function unwrap<T>(call: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiError(UNREACHABLE);
  });
  if (typeof data === 'object') return withVisibleTexts(data.data);
  throw new ApiError(hasFailure(error) ? withLogId(error.error, response) : UNREACHABLE);
}

function withLogId(failure: Failure, response: Response): Failure {
  const id = response.headers.get('x-request-id');
  return response.status < 500 || id === null ? failure : { ...failure, log_id: id };
}

function hasFailure(body: unknown): body is { error: Failure } {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';
}

/** What may be asked of a path. */
type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Q } } }
  ? NonNullable<Q>
  : never;

export type SeqRange = Pick<Query<'/debates/{id}'>, 'limit' | 'before_seq' | 'after_seq'>;

export const api = {
  info: (signal?: AbortSignal) => unwrap(client.GET('/info', { signal })),
  debate: (id: string, query: SeqRange, signal?: AbortSignal): Promise<DebateContext> =>
    unwrap(client.GET('/debates/{id}', { params: { path: { id }, query }, signal })),
  debates: (query: Query<'/debates'>, signal?: AbortSignal) =>
    unwrap(client.GET('/debates', { params: { query }, signal })),
  /** The debates in which a ruling is due now, the longest waiting first. */
  rulingsDue: (signal?: AbortSignal) =>
    unwrap(client.GET('/wait', { params: { query: { role: 'arbitrator', timeout: 0 } }, signal })),
  record: (id: string, signal?: AbortSignal) =>
    unwrap(client.GET('/debates/{id}/record', { params: { path: { id } }, signal })),
  /** The record, or all arguments, to be saved as the server writes them. */
  async renderedRecord(id: string, format: 'json' | 'markdown' | 'transcript'): Promise<string> {
    const params = { path: { id }, query: { format } };
    const { data, response } = await client.GET('/debates/{id}/record', { params, parseAs: 'text' });
    if (data === undefined) throw new Error(`HTTP ${response.status}`);
    return data as string;
  },
  /** What a ruling would lead to, of which nothing is stored. */
  previewRuling(id: string, ruling: Schemas['RulingSubmit'], signal?: AbortSignal) {
    const params = { path: { id } };
    const body = { ...ruling, dry_run: true };
    return unwrap(client.POST('/debates/{id}/ruling', { params, body, signal }));
  },
  freeSeat: (id: string, role: Side) =>
    unwrap(client.DELETE('/debates/{id}/seats/{role}', { params: { path: { id, role } } })),
  /** All issues of a debate with their histories. */
  async ledger(id: string, signal?: AbortSignal) {
    const params = { path: { id }, query: { history: true } };
    return (await unwrap(client.GET('/debates/{id}/issues', { params, signal }))).issues;
  },
  search: (query: Query<'/search'>, signal?: AbortSignal) =>
    unwrap(client.GET('/search', { params: { query }, signal })),
  createDebate: (body: Schemas['DebateCreate']) => unwrap(client.POST('/debates', { body })),
  documents: (query: Query<'/documents'>, signal?: AbortSignal) =>
    unwrap(client.GET('/documents', { params: { query }, signal })),
  /** One version with its content; null for the newest. */
  document(id: string, version: number | null, signal?: AbortSignal) {
    const query = version === null ? {} : { version };
    return unwrap(client.GET('/documents/{id}', { params: { path: { id }, query }, signal }));
  },
  /** The versions without their contents, newest first. */
  versions: (id: string, query: Query<'/documents/{id}/versions'>, signal?: AbortSignal) =>
    unwrap(client.GET('/documents/{id}/versions', { params: { path: { id }, query }, signal })),
};

/** Exchanges the code of a sign-in link for a token. */
export const exchangeSignInCode = (code: string) => unwrap(client.POST('/sign-in', { body: { code } }));
