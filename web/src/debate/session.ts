import { type Api, ApiError, type Range } from '@/api/client';
import type { Argument, DebateContext, Failure } from '@/api/types';
import { Outbox, type Outcome, type Pending } from '@/live/outbox';
import type { Action, ServerEvent } from '@/live/protocol';
import { socketUrl } from '@/live/protocol';
import { Sequencer } from '@/live/sequencer';
import { type Connection, LiveSocket } from '@/live/socket';
import type { Heads } from '@/witness/heads';
import { told, toldBy } from '@/witness/history';
import { type Alarm, Witness } from '@/witness/witness';
import {
  appended,
  atEnd,
  atStart,
  firstSeq,
  fromContext,
  joined,
  lastSeq,
  moved,
  stateChanged,
  type View,
  withMotion,
} from './view';

/** Small enough to paint at once, large enough to fill a tall window. */
const FIRST_PAGE = 30;
const PAGE = 60;
const CATCH_UP = 200;

export type Phase =
  | { name: 'loading' }
  | { name: 'failed'; failure: Failure }
  | { name: 'ready'; view: View };

export interface Snapshot {
  phase: Phase;
  connection: Connection;
  pending: Pending | null;
  paging: 'older' | 'newer' | null;
  /** Set where the history does not go on from what this browser saw. */
  alarm: Alarm | null;
}

interface Options {
  debateId: string;
  api: Pick<Api, 'debate'>;
  heads: Heads;
  token: () => string | null;
  onFailure: (failure: Failure) => void;
}

/** One open debate: loads it, keeps it live, pages through it, and carries the arbitrator's actions. */
export class DebateSession {
  private readonly listeners = new Set<() => void>();
  private readonly abort = new AbortController();
  private snapshot: Snapshot = {
    phase: { name: 'loading' },
    connection: 'connecting',
    pending: null,
    paging: null,
    alarm: null,
  };
  private sequencer: Sequencer | null = null;
  private readonly socket: LiveSocket;
  private readonly outbox: Outbox;
  private readonly witness: Witness;
  private retry: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly options: Options) {
    this.socket = new LiveSocket({
      url: () =>
        socketUrl(location.origin, {
          debate_id: options.debateId,
          after_seq: this.sequencer?.last ?? 0,
          limit: CATCH_UP,
          token: options.token(),
        }),
      onEvent: (event) => this.receive(event),
      onConnection: (connection) => this.update({ connection }),
      onRefused: () => void this.askWhy(),
    });
    this.outbox = new Outbox({
      send: (message) => this.socket.send(message),
      newId: () => newRequestId(),
      onChange: (pending) => this.update({ pending }),
    });
    this.witness = new Witness({
      debateId: options.debateId,
      heads: options.heads,
      ask: async (seq) => {
        const range = { after_seq: seq - 1, before_seq: seq + 1, limit: 1 };
        const { debate, motion, arguments: args } = await this.context(range);
        return told(debate, [motion, ...args]);
      },
      onAlarm: (alarm) => this.update({ alarm }),
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): Snapshot => this.snapshot;

  async start(): Promise<void> {
    try {
      const around = seqInHash();
      const context = await this.context({ limit: FIRST_PAGE });
      const view = fromContext(context);
      this.sequencer = new Sequencer({
        last: view.last.seq,
        fetchRange: (after, before) =>
          this.fetchPage({ after_seq: after, before_seq: before, limit: CATCH_UP }),
        deliver: (argument) => this.change((current) => appended(current, argument)),
      });
      this.update({ phase: { name: 'ready', view } });
      this.witness.start();
      this.witness.look(told(context.debate, view.items));
      if (around !== null && around < firstSeq(view)) await this.showAround(around);
      this.socket.start();
    } catch (error) {
      if (this.abort.signal.aborted) return;
      const failure = asFailure(error);
      this.options.onFailure(failure);
      this.update({ phase: { name: 'failed', failure } });
      if (failure.code === 'CONNECTION_ERROR') this.retry = setTimeout(() => void this.start(), 2000);
    }
  }

  stop(): void {
    this.abort.abort();
    if (this.retry !== null) clearTimeout(this.retry);
    this.socket.stop();
    this.witness.stop();
  }

  async act(action: Action): Promise<Outcome> {
    return await this.outbox.submit(action);
  }

  takeBack(): void {
    this.outbox.takeBack();
  }

  /** Goes on from a history that is not the one seen before; what is on the page is still of the one before. */
  acceptHistory(): void {
    this.witness.accept();
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

  /** Brings the argument with this `seq` into the window; false where there is none. */
  async show(seq: number): Promise<boolean> {
    const view = this.view;
    if (view === null || seq < 1 || seq > view.last.seq) return false;
    if (seq < firstSeq(view) || seq > lastSeq(view)) await this.showAround(seq);
    return this.view?.items.some((item) => item.seq === seq) ?? false;
  }

  private get view(): View | null {
    return this.snapshot.phase.name === 'ready' ? this.snapshot.phase.view : null;
  }

  private async showAround(seq: number): Promise<void> {
    const half = FIRST_PAGE / 2;
    const page = await this.fetchPage({
      after_seq: Math.max(0, seq - half),
      before_seq: seq + half,
      limit: FIRST_PAGE,
    });
    this.change((view) => moved(view, page));
  }

  private async page(
    direction: 'older' | 'newer',
    range: (view: View) => { after_seq: number; before_seq: number; limit: number } | null,
  ): Promise<void> {
    const wanted = this.view === null || this.snapshot.paging !== null ? null : range(this.view);
    if (wanted === null) return;
    this.update({ paging: direction });
    try {
      const page = await this.fetchPage(wanted);
      this.change((view) => joined(view, page));
    } catch (error) {
      if (!this.abort.signal.aborted) this.options.onFailure(asFailure(error));
    } finally {
      this.update({ paging: null });
    }
  }

  private async fetchPage(range: {
    after_seq: number;
    before_seq: number;
    limit: number;
  }): Promise<Argument[]> {
    const context = await this.context(range);
    return range.after_seq < context.motion.seq && range.before_seq > context.motion.seq
      ? [...withMotion(context.motion, context.arguments)]
      : context.arguments;
  }

  private context(range: Range): Promise<DebateContext> {
    return this.options.api.debate(this.options.debateId, range, this.abort.signal);
  }

  private receive(event: ServerEvent): void {
    if (this.outbox.receive(event)) return;
    switch (event.event) {
      case 'initial_state': {
        const { debate, arguments: args = [] } = event.data;
        this.sequencer?.push(args);
        if (debate) this.witness.look(told(debate, args));
        // `presence` follows at once where somebody waits; nothing follows where nobody does.
        if (debate) this.change((view) => ({ ...view, debate, waiting: [], prepended: false }));
        this.outbox.resend();
        return;
      }
      case 'new_argument':
        this.sequencer?.push([event.data]);
        this.witness.look(toldBy(event.data));
        return;
      case 'state_changed': {
        const { state, updated_at } = event.data;
        this.change((view) => stateChanged(view, { state, updated_at }));
        return;
      }
      case 'presence': {
        const { waiting } = event.data;
        this.change((view) => ({ ...view, waiting, prepended: false }));
        return;
      }
      case 'error':
        this.options.onFailure(event.data);
        return;
      case 'accepted':
      case 'debate_changed':
        return;
    }
  }

  /** A refused handshake has no reason a script may read: REST tells whether it is the token, the debate or the net. */
  private async askWhy(): Promise<void> {
    try {
      await this.context({ limit: 0 });
    } catch (error) {
      if (!this.abort.signal.aborted) this.options.onFailure(asFailure(error));
    }
  }

  private change(step: (view: View) => View): void {
    const view = this.view;
    if (view !== null) this.update({ phase: { name: 'ready', view: step(view) } });
  }

  private update(change: Partial<Snapshot>): void {
    if (this.abort.signal.aborted) return;
    this.snapshot = { ...this.snapshot, ...change };
    for (const listener of this.listeners) listener();
  }
}

function asFailure(error: unknown): Failure {
  return error instanceof ApiError
    ? error.failure
    : { code: 'CONNECTION_ERROR', message: error instanceof Error ? error.message : String(error) };
}

/** `crypto.randomUUID` is absent on plain http to another machine. */
function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A permalink is `/d/<id>#<seq>`. */
export function seqInHash(hash: string = location.hash): number | null {
  const match = /^#(\d{1,9})$/.exec(hash);
  return match ? Number(match[1]) : null;
}
