import createClient, { type Middleware } from 'openapi-fetch';
import type { paths } from './schema';
import { token } from './token';
import type {
  Debate,
  DebateContext,
  DocumentHistory,
  DocumentList,
  DocumentWithVersion,
  Failure,
  StateName,
} from './types';

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

export interface Page {
  limit?: number;
  offset?: number;
}

export interface ListQuery extends Page {
  q?: string;
  state?: StateName;
}

export const api = {
  debate(id: string, range: Range, signal?: AbortSignal): Promise<DebateContext> {
    return unwrap(client.GET('/debates/{id}', { params: { path: { id }, query: range }, signal }));
  },
  debates(query: ListQuery, signal?: AbortSignal): Promise<{ debates: Debate[]; total: number }> {
    return unwrap(client.GET('/debates', { params: { query }, signal }));
  },
  documents(query: Page & { q?: string }, signal?: AbortSignal): Promise<DocumentList> {
    return unwrap(client.GET('/documents', { params: { query }, signal }));
  },
  /** One version with its content: the newest, where none is named. */
  document(id: string, version: number | null, signal?: AbortSignal): Promise<DocumentWithVersion> {
    const query = version === null ? {} : { version };
    return unwrap(client.GET('/documents/{id}', { params: { path: { id }, query }, signal }));
  },
  /** Versions without contents, newest first. */
  versions(id: string, query: Page, signal?: AbortSignal): Promise<DocumentHistory> {
    return unwrap(client.GET('/documents/{id}/versions', { params: { path: { id }, query }, signal }));
  },
};

export type Api = typeof api;

/** A token for this tab, in return for the code of a sign-in link. */
export function exchange(code: string): Promise<{ token: string }> {
  return unwrap(client.POST('/sign-in', { body: { code } }));
}
