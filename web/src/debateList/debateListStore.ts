import { ApiError, api, token } from '@/api/client';
import type { Debate, Failure } from '@/api/types';
import { handleAuthFailure } from '@/auth/access';
import { LiveStore } from '@/lib/useLiveStore';
import { notifyRulingNeeded } from '@/notifications/notifications';
import { type ServerMessage, socketUrl } from '@/websocket/messages';
import { ReconnectingSocket, type SocketState } from '@/websocket/reconnectingSocket';
import { type DebateMap, dueAfter, type Filter, isFiltered, mergeDebates, NO_FILTER } from './debates';

const PAGE = 50;
/** Changes that come together are searched once. */
const CHANGED_PAUSE_MS = 300;

export interface DebateListSnapshot extends SocketState {
  debates: DebateMap;
  /** The ids of the debates in which a ruling is due, the longest waiting first, and whether all have arrived. */
  due: readonly string[];
  dueLoaded: boolean;
  /** In how many more debates a ruling is due: the server names so many at once. */
  dueBeyond: number;
  filter: Filter;
  /** The ids of the list, in the order of the server: those of the pages for the filter, and before them what changed since. */
  listed: readonly string[];
  /** Whether the first page for the current filter has arrived. */
  loaded: boolean;
  loading: boolean;
  failure: Failure | null;
  /** How many debates match the current filter, and how many of them were fetched. */
  total: number;
  fetched: number;
  /** How many debates were left out of the pages, as the server cannot read them. */
  faults: number;
}

/** The state of the list: pages over REST, kept live over the WebSocket, which also takes rulings in any debate. */
export class DebateListStore extends LiveStore<DebateListSnapshot> {
  private currentQuery = new AbortController();
  readonly socket: ReconnectingSocket;
  private connected = false;
  private search: ReturnType<typeof setTimeout> | null = null;
  /** What changed since the first page was asked for, the last changed first. */
  private changed: readonly string[] = [];

  constructor() {
    super({
      debates: new Map(),
      due: [],
      dueLoaded: false,
      dueBeyond: 0,
      filter: NO_FILTER,
      listed: [],
      loaded: false,
      loading: false,
      failure: null,
      total: 0,
      fetched: 0,
      faults: 0,
      connection: 'connecting',
      pending: null,
    });
    this.socket = new ReconnectingSocket({
      url: () => socketUrl(location.origin, { token: token.get() }),
      onMessage: (message) => this.receive(message),
      onChange: (change) => this.update(change),
      onRefused: () => void this.refresh(),
    });
  }

  override start(): void {
    // Both are shown at once, so that those that need a ruling do not move the others.
    void this.fetchPage(0, this.fetchDue());
    this.socket.start();
  }

  override stop(): void {
    super.stop();
    this.currentQuery.abort();
    if (this.search !== null) clearTimeout(this.search);
    this.socket.stop();
  }

  setFilter(filter: Filter): void {
    // What was listed is shown until the answer has come.
    this.update({ filter, loaded: false, fetched: 0, total: 0 });
    void this.fetchPage(0);
  }

  more(): Promise<void> {
    return this.fetchPage(this.snapshot.fetched);
  }

  /** Fetches the first page of the current filter, and all debates that need a ruling, however old. */
  async refresh(): Promise<void> {
    await Promise.all([this.fetchPage(0), this.fetchDue()]);
  }

  private async fetchDue(): Promise<void> {
    const before = new Set(this.snapshot.due);
    try {
      const { debates, total } = await api.rulingsDue(this.lifetime.signal);
      this.merge(debates);
      // Messages that came meanwhile may be newer than this answer.
      const stillDue = debates.filter(({ id }) => this.snapshot.debates.get(id)?.ruling_request != null);
      const fetched = stillDue.map(({ id }) => id);
      const added = this.snapshot.due.filter((id) => !before.has(id) && !fetched.includes(id));
      this.update({ due: [...fetched, ...added], dueLoaded: true, dueBeyond: total - debates.length });
    } catch {
      // `fetchPage`, which runs at the same time, reports the error.
    }
  }

  private async fetchPage(offset: number, others?: Promise<void>): Promise<void> {
    this.currentQuery.abort();
    this.currentQuery = new AbortController();
    const { signal } = this.currentQuery;
    const { filter } = this.snapshot;
    const { q, state, type } = filter;
    if (offset === 0) this.changed = [];
    this.update({ loading: true });
    try {
      const page = await api.debates(
        {
          limit: PAGE,
          offset,
          ...(q.trim() && { q: q.trim() }),
          ...(state && { state }),
          ...(type && { debate_type: type }),
        },
        signal,
      );
      await others;
      if (signal.aborted) return;
      this.merge(page.debates);
      const ids = page.debates.map(({ id }) => id);
      const before = offset === 0 ? this.changed : this.snapshot.listed;
      this.update({
        listed: [...new Set([...before, ...ids])],
        loaded: true,
        loading: false,
        failure: null,
        total: page.total,
        fetched: offset + page.debates.length,
        faults: (offset === 0 ? 0 : this.snapshot.faults) + (page.faults?.length ?? 0),
      });
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) return;
      handleAuthFailure(error.failure);
      this.update({ loading: false, failure: error.failure });
    }
  }

  private receive(message: ServerMessage): void {
    if (message.event === 'initial_state' && 'debates' in message.data) {
      this.merge(message.data.debates);
      this.listFirst(message.data.debates.map(({ id }) => id));
      // Debates that changed while disconnected may be beyond the first page. While it connects for the first time the
      // page is on its way, and only a ruling may have become due since.
      if (this.connected || this.snapshot.failure !== null) void this.refresh();
      else void this.fetchDue();
      this.connected = true;
    }
    if (message.event === 'debate_changed') this.mergeLive(message.data);
  }

  private searchSoon(): void {
    if (this.search !== null) return;
    this.search = setTimeout(() => {
      this.search = null;
      void this.fetchPage(0);
    }, CHANGED_PAUSE_MS);
  }

  private merge(changed: readonly Debate[]): void {
    this.update({ debates: mergeDebates(this.snapshot.debates, changed) });
  }

  /** What changed last comes first. Of a filtered list only the server knows what is in it. */
  private listFirst(ids: readonly string[]): void {
    if (isFiltered(this.snapshot.filter)) return;
    this.changed = [...new Set([...ids, ...this.changed])];
    if (this.snapshot.loaded) this.update({ listed: [...new Set([...ids, ...this.snapshot.listed])] });
  }

  private mergeLive(debate: Debate): void {
    const previous = this.snapshot.debates.get(debate.id);
    this.merge([debate]);
    if (this.snapshot.debates.get(debate.id) !== debate) return;
    const { due, dueBeyond, filter, fetched } = this.snapshot;
    this.listFirst([debate.id]);
    // Whether it is found now, only the server knows. More than a page is not fetched anew.
    if (isFiltered(filter) && fetched <= PAGE) this.searchSoon();
    this.update({ due: dueAfter(due, debate) });
    // One of the others takes the place of a debate that was ruled on.
    if (dueBeyond > 0 && this.snapshot.due.length < due.length) void this.fetchDue();
    const asked = debate.ruling_request;
    const isNew = asked !== null && asked.seq !== previous?.ruling_request?.seq;
    if (isNew && asked.on !== 'INTERVENTION') void notifyRulingNeeded(debate);
  }
}
