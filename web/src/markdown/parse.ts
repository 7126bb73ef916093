import type { Root } from 'hast';
import type { WorkerAnswer, WorkerRequest } from './markdownWorker';
import type { MarkdownRequest } from './toHast';

/** If the worker has not answered anything by then, it has failed to load, of which browsers do not always tell. */
const START_MS = 5000;

/** Null if it has failed, or cannot be started: the page parses by itself then. */
let worker: Worker | null | undefined;
let answered = false;
let newest = 0;
const waiting = new Map<number, { request: MarkdownRequest; done: (tree: Root | null) => void }>();

/** Starts the worker before there is something to parse. */
export function startParser(): void {
  if (worker !== undefined) return;
  try {
    worker = new Worker(new URL('./markdownWorker.ts', import.meta.url));
    worker.onmessage = ({ data: { id, tree } }: MessageEvent<WorkerAnswer>) => {
      answered = true;
      waiting.get(id)?.done(tree);
      waiting.delete(id);
    };
    worker.onerror = fail;
  } catch {
    fail();
  }
}

/** Parses a text in the worker; null if it cannot be parsed. */
export function parse(request: MarkdownRequest): Promise<Root | null> {
  startParser();
  if (!worker) return parseHere(request);
  newest += 1;
  const message: WorkerRequest = { id: newest, request };
  worker.postMessage(message);
  if (!answered) setTimeout(() => !answered && fail(), START_MS);
  return new Promise((done) => waiting.set(message.id, { request, done }));
}

function fail(): void {
  worker?.terminate();
  worker = null;
  for (const { request, done } of waiting.values()) void parseHere(request).then(done);
  waiting.clear();
}

async function parseHere(request: MarkdownRequest): Promise<Root | null> {
  try {
    const { toHast } = await import('./toHast');
    return await toHast(request);
  } catch {
    return null;
  }
}
