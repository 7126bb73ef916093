import { ApiError, api, type SeqRange, token } from '@/api/client';
import type { Argument, Debate, DebateContext, Failure } from '@/api/types';
import { handleAuthFailure } from '@/auth/access';
import { historyOf, historyOfArgument } from '@/historyCheck/history';
import { type HistoryAlarm, HistoryChecker } from '@/historyCheck/historyChecker';
import { lastSeen } from '@/historyCheck/lastSeen';
import { mergeIssues } from '@/issues/ledger';
import { LiveStore } from '@/lib/useLiveStore';
import { NOBODY, type ServerMessage, socketUrl } from '@/websocket/messages';
import { ReconnectingSocket, type SocketState } from '@/websocket/reconnectingSocket';
import { Sequencer } from '@/websocket/sequencer';
import {
  appendArgument,
  atEnd,
  atStart,
  type DebateView,
  firstSeq,
  fromContext,
  joinPage,
  jumpToPage,
  lastSeq,
  withIssues,
  withMotion,
} from './debateView';

/** Enough to fill a tall screen. */
const FIRST_PAGE = 30;
const PAGE = 60;
/** How many arguments are fetched at once at most, as after a reconnect. */
const MOST = 200;
const RETRY_MS = 2000;

export interface Snapshot extends SocketState {
  /** Null until it is loaded. */
  view: DebateView | null;
  /** Why it could not be loaded. */
  failure: Failure | null;
  paging: 'older' | 'newer' | null;
  /** Set if the history contradicts what this browser saw before. */
  alarm: HistoryAlarm | null;
}

/** The state of one open debate: loads it, keeps it live over the WebSocket, and sends the arbitrator's actions. */
export class DebateStore extends LiveStore<Snapshot> {
  private sequencer: Sequencer | null = null;
  readonly socket: ReconnectingSocket;
  readonly historyChecker: HistoryChecker;
  private retry: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly debateId: string) {
    super({ view: null, failure: null, connection: 'connecting', pending: null, paging: null, alarm: null });
    this.socket = new ReconnectingSocket({
      url: () =>
        socketUrl(location.origin, {
          debate_id: debateId,
          after_seq: this.sequencer?.last ?? 0,
          limit: MOST,
          token: token.get(),
        }),
      onMessage: (message) => this.receive(message),
      onChange: (change) => this.update(change),
      onRefused: () => void this.fetchRefusalReason(),
    });
    this.historyChecker = new HistoryChecker({
      debateId,
      lastSeen,
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
      const context = await this.context({ limit: FIRST_PAGE });
      const view = fromContext(context);
      this.sequencer = new Sequencer({
        last: view.last.seq,
        fetchRange: (after, before) => this.fetchPage(after, before),
        deliver: (argument) => this.change((current) => appendArgument(current, argument)),
      });
      this.update({ view, failure: null });
      this.historyChecker.start(this.lifetime.signal);
      this.historyChecker.check(historyOf(context.debate, view.items));
      this.socket.start();
    } catch (error) {
      if (this.lifetime.signal.aborted) return;
      const failure = asFailure(error);
      handleAuthFailure(failure);
      this.update({ failure });
      if (failure.code === 'CONNECTION_ERROR') this.retry = setTimeout(() => void this.start(), RETRY_MS);
    }
  }

  override stop(): void {
    super.stop();
    if (this.retry !== null) clearTimeout(this.retry);
    this.socket.stop();
  }

  /** What an answer tells about who holds a seat. */
  setSeats({ seats }: Pick<Debate, 'seats'>): void {
    this.change((view) => ({ ...view, debate: { ...view.debate, seats } }));
  }

  /** Loads the page before or after the window. */
  async loadPage(direction: 'older' | 'newer'): Promise<void> {
    const { view, paging } = this.snapshot;
    if (view === null || paging !== null || (direction === 'older' ? atStart(view) : atEnd(view))) return;
    this.update({ paging: direction });
    try {
      const page = await (direction === 'older'
        ? this.fetchPage(Math.max(0, firstSeq(view) - 1 - PAGE), firstSeq(view))
        : this.fetchPage(lastSeq(view), lastSeq(view) + 1 + PAGE));
      this.change((current) => joinPage(current, page));
    } catch (error) {
      if (!this.lifetime.signal.aborted) handleAuthFailure(asFailure(error));
    } finally {
      this.update({ paging: null });
    }
  }

  /** Brings an argument into the window; returns false if the debate has no such seq. */
  async show(seq: number): Promise<boolean> {
    const { view } = this.snapshot;
    if (view === null || seq < 1 || seq > view.last.seq) return false;
    if (seq < firstSeq(view) || seq > lastSeq(view)) {
      const page = await this.fetchPage(Math.max(0, seq - FIRST_PAGE / 2), seq + FIRST_PAGE / 2);
      this.change((current) => jumpToPage(current, page));
    }
    return this.snapshot.view?.items.some((item) => item.seq === seq) ?? false;
  }

  /** The arguments between two seqs, both excluded; the newest of them if they are more than a request may fetch. */
  private async fetchPage(after: number, before: number): Promise<Argument[]> {
    const range = { after_seq: after, before_seq: before, limit: MOST };
    const { motion, arguments: args } = await this.context(range);
    return after < motion.seq && before > motion.seq ? withMotion(motion, args) : args;
  }

  private context(range: SeqRange): Promise<DebateContext> {
    return api.debate(this.debateId, range, this.lifetime.signal);
  }

  private receive(message: ServerMessage): void {
    if (message.event === 'initial_state' && 'debate' in message.data) {
      const { debate, arguments: args, issues, turns } = message.data;
      this.sequencer?.push(args);
      this.historyChecker.check(historyOf(debate, args));
      // `presence` follows only if somebody waits or is silent.
      this.change((view) => ({ ...withIssues(view, issues, debate), turns, presence: NOBODY }));
    } else if (message.event === 'new_argument') {
      this.sequencer?.push([message.data]);
      this.historyChecker.check(historyOfArgument(message.data));
    } else if (message.event === 'issues_changed') {
      const { issues, counts, turns } = message.data;
      this.change((view) => ({
        ...withIssues(view, mergeIssues(view.issues, issues), { ...view.debate, issue_counts: counts }),
        turns,
      }));
    } else if (message.event === 'state_changed') {
      const { debate_id: _, turns, ...change } = message.data;
      this.change((view) => ({ ...view, turns, debate: { ...view.debate, ...change } }));
    } else if (message.event === 'presence') {
      const { waiting, silent } = message.data;
      this.change((view) => ({ ...view, presence: { waiting, silent } }));
    } else if (message.event === 'error') handleAuthFailure(message.data);
  }

  /** Scripts cannot read why a WebSocket handshake failed: the same request over REST tells it. */
  private async fetchRefusalReason(): Promise<void> {
    try {
      await this.context({ limit: 0 });
    } catch (error) {
      if (!this.lifetime.signal.aborted) handleAuthFailure(asFailure(error));
    }
  }

  private change(update: (view: DebateView) => DebateView): void {
    const { view } = this.snapshot;
    if (view === null) return;
    const next = update(view);
    const prepended = next.epoch === view.epoch && firstSeq(next) < firstSeq(view);
    this.update({ view: { ...next, prepended } });
  }
}

function asFailure(error: unknown): Failure {
  return error instanceof ApiError
    ? error.failure
    : { code: 'CONNECTION_ERROR', message: error instanceof Error ? error.message : String(error) };
}
