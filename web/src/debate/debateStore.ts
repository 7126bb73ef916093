import { type Api, ApiError, type SeqRange } from '@/api/client';
import type { Argument, Debate, DebateContext, Failure } from '@/api/types';
import { historyOf, historyOfArgument } from '@/historyCheck/history';
import { type HistoryAlarm, HistoryChecker } from '@/historyCheck/historyChecker';
import type { LastSeenStore } from '@/historyCheck/lastSeen';
import { seqInHash } from '@/lib/router';
import { LiveStore } from '@/lib/useLiveStore';
import { type Action, type ServerMessage, socketUrl } from '@/websocket/messages';
import { Outbox, type Outcome, type Pending } from '@/websocket/outbox';
import { type Connection, ReconnectingSocket } from '@/websocket/reconnectingSocket';
import { newRequestId } from '@/websocket/requestId';
import { Sequencer } from '@/websocket/sequencer';
import {
  appendArgument,
  atEnd,
  atStart,
  changeIssues,
  changeSeats,
  changeState,
  type DebateView,
  firstSeq,
  fromContext,
  joinPage,
  jumpToPage,
  lastSeq,
  withMotion,
} from './debateView';
import type { PresenceTold } from './PresenceList';

const NOBODY: PresenceTold = { waiting: [], silent: [] };

/** Enough to fill a tall screen. */
export const FIRST_PAGE = 30;
const PAGE = 60;
/** How many arguments a reconnect or a gap fetches at once. */
const CATCH_UP_PAGE = 200;
const RETRY_MS = 2000;

type Range = Required<SeqRange>;

export type Phase =
  | { name: 'loading' }
  | { name: 'failed'; failure: Failure }
  | { name: 'ready'; view: DebateView };

export interface Snapshot {
  phase: Phase;
  connection: Connection;
  pending: Pending | null;
  paging: 'older' | 'newer' | null;
  /** Set if the history contradicts what this browser saw before. */
  alarm: HistoryAlarm | null;
}

interface Options {
  debateId: string;
  api: Pick<Api, 'debate'>;
  lastSeen: LastSeenStore;
  token: () => string | null;
  onFailure: (failure: Failure) => void;
}

/** The state of one open debate: loads it, keeps it live over the WebSocket, and sends the arbitrator's actions. */
export class DebateStore extends LiveStore<Snapshot> {
  private sequencer: Sequencer | null = null;
  private readonly socket: ReconnectingSocket;
  private readonly outbox: Outbox;
  private readonly historyChecker: HistoryChecker;
  private retry: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly options: Options) {
    super({
      phase: { name: 'loading' },
      connection: 'connecting',
      pending: null,
      paging: null,
      alarm: null,
    });
    this.socket = new ReconnectingSocket({
      url: () =>
        socketUrl(location.origin, {
          debate_id: options.debateId,
          after_seq: this.sequencer?.last ?? 0,
          limit: CATCH_UP_PAGE,
          token: options.token(),
        }),
      onMessage: (message) => this.receive(message),
      onConnection: (connection) => this.update({ connection }),
      onRefused: () => void this.fetchRefusalReason(),
    });
    this.outbox = new Outbox({
      send: (message) => this.socket.send(message),
      newId: newRequestId,
      onChange: (pending) => this.update({ pending }),
    });
    this.historyChecker = new HistoryChecker({
      debateId: options.debateId,
      lastSeen: options.lastSeen,
      fetchReport: async (seq) => {
        const range = { after_seq: seq - 1, before_seq: seq + 1, limit: 1 };
        const { debate, motion, arguments: args } = await this.context(range);
        return historyOf(debate, [motion, ...args]);
      },
      onAlarm: (alarm) => this.update({ alarm }),
    });
  }

  override async start(): Promise<void> {
    try {
      const linkedSeq = seqInHash();
      const context = await this.context({ limit: FIRST_PAGE });
      const view = fromContext(context);
      this.sequencer = new Sequencer({
        last: view.last.seq,
        fetchRange: (after, before) =>
          this.fetchPage({ after_seq: after, before_seq: before, limit: CATCH_UP_PAGE }),
        deliver: (argument) => this.change((current) => appendArgument(current, argument)),
      });
      this.update({ phase: { name: 'ready', view } });
      this.historyChecker.start();
      this.historyChecker.check(historyOf(context.debate, view.items));
      if (linkedSeq !== null && linkedSeq < firstSeq(view)) await this.fetchAround(linkedSeq);
      this.socket.start();
    } catch (error) {
      if (this.lifetime.signal.aborted) return;
      const failure = asFailure(error);
      this.options.onFailure(failure);
      this.update({ phase: { name: 'failed', failure } });
      if (failure.code === 'CONNECTION_ERROR') this.retry = setTimeout(() => void this.start(), RETRY_MS);
    }
  }

  override stop(): void {
    super.stop();
    if (this.retry !== null) clearTimeout(this.retry);
    this.socket.stop();
    this.historyChecker.stop();
  }

  async act(action: Action): Promise<Outcome> {
    return await this.outbox.submit(action);
  }

  withdraw(): void {
    this.outbox.withdraw();
  }

  /** Accepts a changed history. The arguments on the page may be outdated: load the debate again. */
  acceptHistory(): void {
    this.historyChecker.accept();
  }

  /** What an answer tells about who holds a seat. */
  setSeats(debate: Pick<Debate, 'seats'>): void {
    this.change((view) => changeSeats(view, debate));
  }

  loadOlder(): Promise<void> {
    return this.page('older', (view) =>
      atStart(view)
        ? null
        : { after_seq: Math.max(0, firstSeq(view) - 1 - PAGE), before_seq: firstSeq(view), limit: PAGE },
    );
  }

  loadNewer(): Promise<void> {
    return this.page('newer', (view) =>
      atEnd(view) ? null : { after_seq: lastSeq(view), before_seq: lastSeq(view) + 1 + PAGE, limit: PAGE },
    );
  }

  /** Brings an argument into the window; returns false if the debate has no such seq. */
  async show(seq: number): Promise<boolean> {
    const view = this.view;
    if (view === null || seq < 1 || seq > view.last.seq) return false;
    if (seq < firstSeq(view) || seq > lastSeq(view)) await this.fetchAround(seq);
    return this.view?.items.some((item) => item.seq === seq) ?? false;
  }

  private get view(): DebateView | null {
    return this.snapshot.phase.name === 'ready' ? this.snapshot.phase.view : null;
  }

  private async fetchAround(seq: number): Promise<void> {
    const half = FIRST_PAGE / 2;
    const page = await this.fetchPage({
      after_seq: Math.max(0, seq - half),
      before_seq: seq + half,
      limit: FIRST_PAGE,
    });
    this.change((view) => jumpToPage(view, page));
  }

  private async page(direction: 'older' | 'newer', range: (view: DebateView) => Range | null): Promise<void> {
    const wanted = this.view === null || this.snapshot.paging !== null ? null : range(this.view);
    if (wanted === null) return;
    this.update({ paging: direction });
    try {
      const page = await this.fetchPage(wanted);
      this.change((view) => joinPage(view, page));
    } catch (error) {
      if (!this.lifetime.signal.aborted) this.options.onFailure(asFailure(error));
    } finally {
      this.update({ paging: null });
    }
  }

  private async fetchPage(range: Range): Promise<Argument[]> {
    const context = await this.context(range);
    return range.after_seq < context.motion.seq && range.before_seq > context.motion.seq
      ? [...withMotion(context.motion, context.arguments)]
      : context.arguments;
  }

  private context(range: SeqRange): Promise<DebateContext> {
    return this.options.api.debate(this.options.debateId, range, this.lifetime.signal);
  }

  private receive(message: ServerMessage): void {
    if (this.outbox.receive(message)) return;
    switch (message.event) {
      case 'initial_state': {
        if (!('debate' in message.data)) return;
        const { debate, arguments: args, issues, turns } = message.data;
        this.sequencer?.push(args);
        this.historyChecker.check(historyOf(debate, args));
        // `presence` follows only if somebody waits or is silent.
        this.change((view) => ({ ...view, debate, issues, turns, presence: NOBODY, prepended: false }));
        this.outbox.resend();
        return;
      }
      case 'new_argument':
        this.sequencer?.push([message.data]);
        this.historyChecker.check(historyOfArgument(message.data));
        return;
      case 'issues_changed': {
        const changes = message.data;
        this.change((view) => changeIssues(view, changes));
        return;
      }
      case 'state_changed': {
        const { debate_id: _, ...change } = message.data;
        this.change((view) => changeState(view, change));
        return;
      }
      case 'presence': {
        const { waiting, silent } = message.data;
        this.change((view) => ({ ...view, presence: { waiting, silent }, prepended: false }));
        return;
      }
      case 'error':
        this.options.onFailure(message.data);
        return;
      case 'accepted':
      case 'debate_changed':
        return;
    }
  }

  /** Scripts cannot read why a WebSocket handshake failed: the same request over REST tells it. */
  private async fetchRefusalReason(): Promise<void> {
    try {
      await this.context({ limit: 0 });
    } catch (error) {
      if (!this.lifetime.signal.aborted) this.options.onFailure(asFailure(error));
    }
  }

  private change(update: (view: DebateView) => DebateView): void {
    const view = this.view;
    if (view !== null) this.update({ phase: { name: 'ready', view: update(view) } });
  }
}

function asFailure(error: unknown): Failure {
  return error instanceof ApiError
    ? error.failure
    : { code: 'CONNECTION_ERROR', message: error instanceof Error ? error.message : String(error) };
}
