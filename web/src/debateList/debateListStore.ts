import { type Api, ApiError, type ListQuery } from '@/api/client';
import { type Debate, type Failure, needsRuling } from '@/api/types';
import { type ServerMessage, socketUrl } from '@/websocket/messages';
import { ReconnectingSocket } from '@/websocket/reconnectingSocket';
import { type DebateMap, type Filter, mergeDebates } from './debates';

const PAGE = 50;
const NEEDING_RULING_PAGE = 200;

export interface DebateListSnapshot {
  debates: DebateMap;
  filter: Filter;
  /** Whether the first page for the current filter has arrived. */
  loaded: boolean;
  loading: boolean;
  failure: Failure | null;
  /** How many debates match the current filter, and how many of them were fetched. */
  total: number;
  fetched: number;
}

interface Options {
  api: Pick<Api, 'debates'>;
  token: () => string | null;
  onFailure: (failure: Failure) => void;
  /** Called when a debate starts to need a ruling while the list is live. */
  onRulingNeeded: (debate: Debate) => void;
}

/** The state of the list: pages over REST, kept live over the WebSocket. */
export class DebateListStore {
  private readonly listeners = new Set<() => void>();
  private readonly lifetime = new AbortController();
  private currentQuery = new AbortController();
  private readonly socket: ReconnectingSocket;
  private snapshot: DebateListSnapshot = {
    debates: new Map(),
    filter: { q: '', state: null },
    loaded: false,
    loading: false,
    failure: null,
    total: 0,
    fetched: 0,
  };

  constructor(private readonly options: Options) {
    this.socket = new ReconnectingSocket({
      url: () => socketUrl(location.origin, { token: options.token() }),
      onMessage: (message) => this.receive(message),
      onRefused: () => void this.refresh(),
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): DebateListSnapshot => this.snapshot;

  start(): void {
    void this.refresh();
    this.socket.start();
  }

  stop(): void {
    this.lifetime.abort();
    this.currentQuery.abort();
    this.socket.stop();
  }

  setFilter(filter: Filter): void {
    this.update({ filter, loaded: false, fetched: 0, total: 0 });
    void this.fetchPage(0);
  }

  more(): Promise<void> {
    return this.fetchPage(this.snapshot.fetched);
  }

  /** Fetches the first page of the current filter, and all debates that need a ruling, however old. */
  async refresh(): Promise<void> {
    await Promise.all([
      this.fetchPage(0),
      this.fetchNeedingRuling('AWAITING_ARBITRATOR'),
      this.fetchNeedingRuling('INTERVENTION_PENDING'),
    ]);
  }

  private async fetchNeedingRuling(state: NonNullable<ListQuery['state']>): Promise<void> {
    try {
      const { debates } = await this.options.api.debates(
        { state, limit: NEEDING_RULING_PAGE },
        this.lifetime.signal,
      );
      this.merge(debates);
    } catch {
      // `fetchPage`, which runs at the same time, reports the error.
    }
  }

  private async fetchPage(offset: number): Promise<void> {
    this.currentQuery.abort();
    this.currentQuery = new AbortController();
    const { signal } = this.currentQuery;
    const { q, state } = this.snapshot.filter;
    this.update({ loading: true });
    try {
      const page = await this.options.api.debates(
        { limit: PAGE, offset, ...(q.trim() && { q: q.trim() }), ...(state && { state }) },
        signal,
      );
      this.merge(page.debates);
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

  private receive(message: ServerMessage): void {
    if (message.event === 'initial_state' && 'debates' in message.data) {
      this.merge(message.data.debates);
      // Debates that changed while disconnected may be beyond the first page.
      void this.refresh();
    }
    if (message.event === 'debate_changed') this.mergeLive(message.data);
  }

  private merge(changed: readonly Debate[]): void {
    this.update({ debates: mergeDebates(this.snapshot.debates, changed) });
  }

  private mergeLive(debate: Debate): void {
    const previous = this.snapshot.debates.get(debate.id);
    this.merge([debate]);
    const startsToNeedRuling =
      debate.state === 'AWAITING_ARBITRATOR' && (previous === undefined || !needsRuling(previous));
    const isNewest = this.snapshot.debates.get(debate.id) === debate;
    if (startsToNeedRuling && isNewest) this.options.onRulingNeeded(debate);
  }

  private update(change: Partial<DebateListSnapshot>): void {
    if (this.lifetime.signal.aborted) return;
    this.snapshot = { ...this.snapshot, ...change };
    for (const listener of this.listeners) listener();
  }
}
