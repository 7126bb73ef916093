declare global {
  interface Window {
    /** What was asked for before the app was loaded, by path and query; each answer is taken once. */
    firstAnswers?: Record<string, Promise<Response>>;
  }
}

/**
 * Asks for what every page shows first while the app is still being loaded. It is written into the page as it is
 * (`pages/_document.tsx`), so it uses nothing from outside. With a token nothing is asked: the app sends that.
 */
export function startFirstRequests(): void {
  try {
    if (sessionStorage.getItem('aweave.token') !== null) return;
  } catch {
    // Without storage there is no token.
  }
  if (location.hash.startsWith('#sign-in=')) return;
  const id = /^\/d\/([0-9a-f-]{36})\/?$/i.exec(location.pathname)?.[1];
  const paths = ['/debates?limit=50&offset=0', '/wait?role=arbitrator&timeout=0'];
  if (id !== undefined) paths.unshift(`/debates/${id.toLowerCase()}?limit=30`);
  const answers: Record<string, Promise<Response>> = {};
  for (const path of paths) {
    // Read to its end, since what is not read keeps its connection.
    const answer = fetch(path).then(async (response) => new Response(await response.arrayBuffer(), response));
    // Whoever takes it learns of a failure.
    answer.catch(() => undefined);
    answers[path] = answer;
  }
  window.firstAnswers = answers;
}

/** The answer to a request: the one that is on its way already, if there is. */
export function answerTo(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const path = pathname + search;
  const early = request.headers.has('authorization') ? undefined : window.firstAnswers?.[path];
  if (early === undefined || request.method !== 'GET') return fetch(request);
  delete window.firstAnswers?.[path];
  return early.then((answer) => {
    request.signal.throwIfAborted();
    return answer;
  });
}
