import type { Seen } from './history';

const PREFIX = 'aweave.head.';

/** How many debates are remembered: of more, those that nothing new was seen of for longest are forgotten. */
const MOST = 500;

const key = (debateId: string) => `${PREFIX}${debateId}`;

export function parseHead(stored: string | null): (Seen & { at: number }) | null {
  const match = /^([1-9]\d{0,8}) ([0-9a-f]{64}) (\d{1,15})$/.exec(stored ?? '');
  return match?.[2] === undefined ? null : { seq: Number(match[1]), hash: match[2], at: Number(match[3]) };
}

/**
 * The newest place that this browser saw of each debate, one entry a debate, so that tabs do not undo what others
 * remember. Where storage refuses, it is remembered for as long as the page lives.
 */
export class Heads {
  private readonly own = new Map<string, Seen>();

  constructor(
    private readonly storage: () => Storage = () => localStorage,
    private readonly now: () => number = Date.now,
  ) {}

  get(debateId: string): Seen | null {
    try {
      const stored = parseHead(this.storage().getItem(key(debateId)));
      if (stored !== null) return { seq: stored.seq, hash: stored.hash };
    } catch {
      // No storage: what this page saw.
    }
    return this.own.get(debateId) ?? null;
  }

  set(debateId: string, { seq, hash }: Seen): void {
    this.own.set(debateId, { seq, hash });
    try {
      const storage = this.storage();
      const isNew = storage.getItem(key(debateId)) === null;
      storage.setItem(key(debateId), `${seq} ${hash} ${this.now()}`);
      if (isNew) forgetOldest(storage);
    } catch {
      // Kept in memory only.
    }
  }

  /** Tells when another tab remembers something else of a debate. */
  watch(debateId: string, listener: () => void): () => void {
    const onStorage = (event: StorageEvent) => {
      if (event.key === key(debateId)) listener();
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }
}

function forgetOldest(storage: Storage): void {
  const stored = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => ({ name, at: parseHead(storage.getItem(name))?.at ?? 0 }));
  if (stored.length <= MOST) return;
  stored.sort((one, other) => one.at - other.at);
  for (const { name } of stored.slice(0, stored.length - MOST)) storage.removeItem(name);
}

export const heads = new Heads();
