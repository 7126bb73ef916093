import { token } from './token';

declare global {
  interface Window {
    /** Set by `scripts/early-requests.inline.js`: answers by path and query, and the token that was sent for them. */
    aweaveEarlyAnswers?: { token: string | null; answers: Map<string, Promise<Response>> };
  }
}

/** Like `fetch`, but takes the answer that the head of the page asked for already. Each is taken once. */
export async function fetchOrTakeEarly(request: Request): Promise<Response> {
  const early = request.method === 'GET' ? takeEarly(request.url) : undefined;
  return (await early?.catch(() => undefined)) ?? fetch(request);
}

function takeEarly(url: string): Promise<Response> | undefined {
  const early = typeof window === 'undefined' ? undefined : window.aweaveEarlyAnswers;
  if (early === undefined || early.token !== token.get()) return undefined;
  const { pathname, search } = new URL(url);
  const answer = early.answers.get(pathname + search);
  early.answers.delete(pathname + search);
  return answer;
}
