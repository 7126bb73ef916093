import type { SeqHash } from './history';

const PREFIX = 'aweave.head.';

/** Beyond this, the debates that were not updated for longest are forgotten. */
const MAX_DEBATES = 500;

const key = (debateId: string) => `${PREFIX}${debateId}`;

export function parseLastSeen(stored: string | null): (SeqHash & { at: number }) | null {
  const match = /^([1-9]\d{0,8}) ([0-9a-f]{64}) (\d{1,15})$/.exec(stored ?? '');
  return match?.[2] === undefined ? null : { seq: Number(match[1]), hash: match[2], at: Number(match[3]) };
}

/**
 * The newest argument that this browser saw of each debate. One storage entry for each, so that tabs do not overwrite
 * each other's. If storage fails, this page remembers what it saw itself.
 */
export class LastSeenStore {
  private readonly memory = new Map<string, SeqHash>();

  constructor(
    private readonly storage: () => Storage = () => localStorage,
    private readonly now: () => number = Date.now,
  ) {}

  get(debateId: string): SeqHash | null {
    try {
      const stored = parseLastSeen(this.storage().getItem(key(debateId)));
      if (stored !== null) return { seq: stored.seq, hash: stored.hash };
    } catch {
      // Storage failed: use what this page saw.
    }
    return this.memory.get(debateId) ?? null;
  }

  set(debateId: string, { seq, hash }: SeqHash): void {
    this.memory.set(debateId, { seq, hash });
    try {
      const storage = this.storage();
      const isNew = storage.getItem(key(debateId)) === null;
      storage.setItem(key(debateId), `${seq} ${hash} ${this.now()}`);
      if (isNew) forgetOldest(storage);
    } catch {
      // The value stays in memory.
    }
  }

  /** Calls the listener when another tab stores a value for the debate. */
  subscribe(debateId: string, listener: () => void, signal: AbortSignal): void {
    const onStorage = (event: StorageEvent) => event.key === key(debateId) && listener();
    window.addEventListener('storage', onStorage, { signal });
  }
}

function forgetOldest(storage: Storage): void {
  const stored = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => ({ name, at: parseLastSeen(storage.getItem(name))?.at ?? 0 }));
  if (stored.length <= MAX_DEBATES) return;
  stored.sort((one, other) => one.at - other.at);
  for (const { name } of stored.slice(0, stored.length - MAX_DEBATES)) storage.removeItem(name);
}

export const lastSeen = new LastSeenStore();
