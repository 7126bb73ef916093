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
  const parsing = parser.parse(request).then((tree) => {
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

/** The worker; if it cannot be started, the page parses by itself. */
class Parser {
  private worker: Worker | null = null;
  private failed = false;
  private answered = false;
  private newest = 0;
  private readonly waiting = new Map<number, { request: MarkdownRequest; done: (tree: Parsed) => void }>();

  /** Starts the worker before there is something to parse. */
  start(): void {
    if (this.worker !== null || this.failed) return;
    try {
      this.worker = new Worker(new URL('./markdownWorker.ts', import.meta.url));
      this.worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => this.answer(data);
      this.worker.onerror = () => this.fail();
    } catch {
      this.fail();
    }
  }

  parse(request: MarkdownRequest): Promise<Parsed> {
    this.start();
    if (this.worker === null) return parseHere(request);
    this.newest += 1;
    const message: WorkerRequest = { id: this.newest, request };
    this.worker.postMessage(message);
    if (!this.answered) setTimeout(() => !this.answered && this.fail(), START_MS);
    return new Promise((done) => this.waiting.set(message.id, { request, done }));
  }

  private answer({ id, tree }: WorkerAnswer): void {
    this.answered = true;
    this.waiting.get(id)?.done(tree);
    this.waiting.delete(id);
  }

  private fail(): void {
    if (this.failed) return;
    this.failed = true;
    this.worker?.terminate();
    this.worker = null;
    for (const { request, done } of this.waiting.values()) void parseHere(request).then(done);
    this.waiting.clear();
  }
}

async function parseHere(request: MarkdownRequest): Promise<Parsed> {
  try {
    const { toHast } = await import('./toHast');
    return await toHast(request);
  } catch {
    return null;
  }
}

const parser = new Parser();

/** Loads the parser in advance. */
export function startParser(): void {
  parser.start();
}
