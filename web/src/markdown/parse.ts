import type { Root } from 'hast';
import type { WorkerAnswer, WorkerRequest } from './markdownWorker';
import type { MarkdownRequest } from './toHast';

/** Null if the text could not be parsed. */
export type Parsed = Root | null;

/** How much text the cache keeps the trees of: more than any screen shows. */
const CACHE_CHARACTERS = 1_000_000;

const cache = new Map<string, Root>();
let cachedCharacters = 0;
const running = new Map<string, Promise<Parsed>>();

const keyOf = ({ text, ...others }: MarkdownRequest) => `${JSON.stringify(others)}\n${text}`;

/** The tree of a text that was parsed before; undefined if it was not. */
export function cached(request: MarkdownRequest): Root | undefined {
  const key = keyOf(request);
  const tree = cache.get(key);
  // The order of the cache is that of the last use.
  if (tree !== undefined && cache.delete(key)) cache.set(key, tree);
  return tree;
}

/** Parses a text in the worker, once. */
export function parse(request: MarkdownRequest): Promise<Parsed> {
  const known = cached(request);
  if (known !== undefined) return Promise.resolve(known);
  const key = keyOf(request);
  const begun = running.get(key);
  if (begun !== undefined) return begun;
  const parsing = parseInWorker(request).then((tree) => {
    running.delete(key);
    // What failed may succeed another time, as when the server could not be reached.
    if (tree !== null) keep(key, tree);
    return tree;
  });
  running.set(key, parsing);
  return parsing;
}

function keep(key: string, tree: Root): void {
  cache.set(key, tree);
  cachedCharacters += key.length;
  for (const oldest of cache.keys()) {
    if (cachedCharacters <= CACHE_CHARACTERS || oldest === key) return;
    cache.delete(oldest);
    cachedCharacters -= oldest.length;
  }
}

/** If the worker has not answered anything by then, it has failed to load, of which browsers do not always tell. */
const START_MS = 5000;

/** Null if it has failed, or cannot be started: the page parses by itself then. */
let worker: Worker | null | undefined;
let answered = false;
let newest = 0;
const waiting = new Map<number, { request: MarkdownRequest; done: (tree: Parsed) => void }>();

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

function parseInWorker(request: MarkdownRequest): Promise<Parsed> {
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

async function parseHere(request: MarkdownRequest): Promise<Parsed> {
  try {
    const { toHast } = await import('./toHast');
    return await toHast(request);
  } catch {
    return null;
  }
}
