import { type Api, ApiError, type ListQuery } from '@/api/client';
import { type Debate, type Failure, needsRuling } from '@/api/types';
import { type ServerEvent, socketUrl } from '@/live/protocol';
import { type Connection, LiveSocket } from '@/live/socket';
import { type Filter, type Known, merged } from './collection';

const PAGE = 50;
const ALL_NEEDED = 200;

export interface ListSnapshot {
  known: Known;
  filter: Filter;
  /** Whether the first answer to the current filter is there. */
  loaded: boolean;
  loading: boolean;
  failure: Failure | null;
  /** How many the server has for the current filter, and how many of them were fetched. */
  total: number;
  fetched: number;
  connection: Connection;
}

interface Options {
  api: Pick<Api, 'debates'>;
  token: () => string | null;
  onFailure: (failure: Failure) => void;
  /** A debate came to need a ruling while we watched. */
  onNeeded: (debate: Debate) => void;
}

/** The list of debates: pages over REST, kept live by the list's socket. */
export class ListSession {
  private readonly listeners = new Set<() => void>();
  private readonly lifetime = new AbortController();
  private query = new AbortController();
  private readonly socket: LiveSocket;
  private snapshot: ListSnapshot = {
    known: new Map(),
    filter: { q: '', state: null },
    loaded: false,
    loading: false,
    failure: null,
    total: 0,
    fetched: 0,
    connection: 'connecting',
  };

  constructor(private readonly options: Options) {
    this.socket = new LiveSocket({
      url: () => socketUrl(location.origin, { token: options.token() }),
      onEvent: (event) => this.receive(event),
      onConnection: (connection) => this.update({ connection }),
      onRefused: () => void this.refresh(),
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): ListSnapshot => this.snapshot;

  start(): void {
    void this.refresh();
    this.socket.start();
  }

  stop(): void {
    this.lifetime.abort();
    this.query.abort();
    this.socket.stop();
  }

  setFilter(filter: Filter): void {
    this.update({ filter, loaded: false, fetched: 0, total: 0 });
    void this.fetchPage(0);
  }

  more(): Promise<void> {
    return this.fetchPage(this.snapshot.fetched);
  }

  /** The current filter's first page, and all that waits for a ruling however old it is. */
  async refresh(): Promise<void> {
    await Promise.all([
      this.fetchPage(0),
      this.fetchNeeded('AWAITING_ARBITRATOR'),
      this.fetchNeeded('INTERVENTION_PENDING'),
    ]);
  }

  private async fetchNeeded(state: NonNullable<ListQuery['state']>): Promise<void> {
    try {
      const { debates } = await this.options.api.debates({ state, limit: ALL_NEEDED }, this.lifetime.signal);
      this.take(debates);
    } catch {
      // The page that is asked for at the same time tells the reason.
    }
  }

  private async fetchPage(offset: number): Promise<void> {
    this.query.abort();
    this.query = new AbortController();
    const { signal } = this.query;
    const { q, state } = this.snapshot.filter;
    this.update({ loading: true });
    try {
      const page = await this.options.api.debates(
        { limit: PAGE, offset, ...(q.trim() && { q: q.trim() }), ...(state && { state }) },
        signal,
      );
      this.take(page.debates);
      this.update({
        loaded: true,
        loading: false,
        failure: null,
        total: page.total,
        fetched: offset + page.debates.length,
      });
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) return;
      this.options.onFailure(error.failure);
      this.update({ loading: false, failure: error.failure });
    }
  }

  private receive(event: ServerEvent): void {
    if (event.event === 'initial_state') {
      this.take(event.data.debates ?? []);
      // What changed while the connection was away may lie beyond the first page.
      void this.refresh();
    }
    if (event.event === 'debate_changed') this.take([event.data], true);
  }

  private take(debates: readonly Debate[], live = false): void {
    const before = this.snapshot.known;
    const known = merged(before, debates);
    this.update({ known });
    if (!live) return;
    for (const debate of debates) {
      const had = before.get(debate.id);
      const asksNow = debate.state === 'AWAITING_ARBITRATOR' && (had === undefined || !needsRuling(had));
      if (asksNow && known.get(debate.id) === debate) this.options.onNeeded(debate);
    }
  }

  private update(change: Partial<ListSnapshot>): void {
    if (this.lifetime.signal.aborted) return;
    this.snapshot = { ...this.snapshot, ...change };
    for (const listener of this.listeners) listener();
  }
}
