import createClient, { type Middleware } from 'openapi-fetch';
import { withVisibleTexts } from '@/lib/visible';
import type { components, paths } from './schema';
import { token } from './token';
import type {
  Argument,
  Debate,
  DebateContext,
  DebateType,
  DocumentHistory,
  DocumentList,
  DocumentWithVersion,
  Failure,
  Info,
  Issue,
  Side,
  SignedRecord,
  StateName,
} from './types';

type Schemas = components['schemas'];

/** Thrown by every failed request: has the server's error object, or `CONNECTION_ERROR` if there was no answer. */
export class ApiError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

const UNREACHABLE: Failure = { code: 'CONNECTION_ERROR', message: 'The server cannot be reached.' };

const sendToken: Middleware = {
  onRequest({ request }) {
    const secret = token.get();
    if (secret !== null) request.headers.set('authorization', `Bearer ${secret}`);
    return request;
  },
};

const client = createClient<paths>({
  baseUrl: typeof location === 'undefined' ? '' : location.origin,
  fetch: (request) => fetch(request),
});
client.use(sendToken);

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

export interface SeqRange {
  limit?: number;
  before_seq?: number;
  after_seq?: number;
}

export interface PageQuery {
  limit?: number;
  offset?: number;
}

export interface ListQuery extends PageQuery {
  q?: string;
  state?: StateName;
  debate_type?: DebateType;
}

export const api = {
  info(signal?: AbortSignal): Promise<Info> {
    return unwrap(client.GET('/info', { signal }));
  },
  debate(id: string, range: SeqRange, signal?: AbortSignal): Promise<DebateContext> {
    return unwrap(client.GET('/debates/{id}', { params: { path: { id }, query: range }, signal }));
  },
  debates(query: ListQuery, signal?: AbortSignal): Promise<{ debates: Debate[]; total: number }> {
    return unwrap(client.GET('/debates', { params: { query }, signal }));
  },
  /** The debates in which a ruling is due now, the longest waiting first. */
  rulingsDue(signal?: AbortSignal): Promise<{ debates: Debate[]; total: number }> {
    const query = { role: 'arbitrator' as const, timeout: 0 };
    return unwrap(client.GET('/wait', { params: { query }, signal }));
  },
  record(id: string, signal?: AbortSignal): Promise<SignedRecord> {
    return unwrap(client.GET('/debates/{id}/record', { params: { path: { id } }, signal }));
  },
  /** The record, or all arguments, to be saved as the server writes them. */
  async renderedRecord(id: string, format: 'json' | 'markdown' | 'transcript'): Promise<string> {
    const params = { path: { id }, query: { format } };
    const { data, response } = await client.GET('/debates/{id}/record', { params, parseAs: 'text' });
    if (data === undefined) throw new Error(`HTTP ${response.status}`);
    return data as string;
  },
  async freeSeat(id: string, role: Side): Promise<Debate> {
    const params = { path: { id, role } };
    return (await unwrap(client.DELETE('/debates/{id}/seats/{role}', { params }))).debate;
  },
  /** All rulings of a debate, oldest first. */
  async rulings(id: string, signal?: AbortSignal): Promise<Argument[]> {
    const params = { path: { id }, query: { limit: 0 } };
    return (await unwrap(client.GET('/debates/{id}', { params, signal }))).earlier_rulings;
  },
  /** All issues of a debate with their histories. */
  async issueHistories(id: string, signal?: AbortSignal): Promise<Issue[]> {
    const params = { path: { id }, query: { history: true } };
    return (await unwrap(client.GET('/debates/{id}/issues', { params, signal }))).issues;
  },
  search(
    query: { q: string; kind: Schemas['SearchKind'][]; limit: number },
    signal?: AbortSignal,
  ): Promise<Schemas['SearchResult']> {
    return unwrap(client.GET('/search', { params: { query }, signal }));
  },
  createDebate(body: Schemas['DebateCreate']): Promise<Schemas['DebateCreated']> {
    return unwrap(client.POST('/debates', { body }));
  },
  createDocument(body: Schemas['DocumentSubmit']): Promise<DocumentWithVersion> {
    return unwrap(client.POST('/documents', { body }));
  },
  documents(
    query: PageQuery & { q?: string; debate_id?: string },
    signal?: AbortSignal,
  ): Promise<DocumentList> {
    return unwrap(client.GET('/documents', { params: { query }, signal }));
  },
  /** One version with its content; null for the newest. */
  document(id: string, version: number | null, signal?: AbortSignal): Promise<DocumentWithVersion> {
    const query = version === null ? {} : { version };
    return unwrap(client.GET('/documents/{id}', { params: { path: { id }, query }, signal }));
  },
  /** The versions without their contents, newest first. */
  versions(id: string, query: PageQuery, signal?: AbortSignal): Promise<DocumentHistory> {
    return unwrap(client.GET('/documents/{id}/versions', { params: { path: { id }, query }, signal }));
  },
};

export type Api = typeof api;

/** Exchanges the code of a sign-in link for a token. */
export function exchangeSignInCode(code: string): Promise<{ token: string }> {
  return unwrap(client.POST('/sign-in', { body: { code } }));
}
