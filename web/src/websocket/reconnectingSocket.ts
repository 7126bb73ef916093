import { parseMessage, type ServerMessage } from './messages';
import { Outbox, type Pending } from './outbox';

export type Connection = 'connecting' | 'live' | 'reconnecting';

export interface SocketState {
  connection: Connection;
  /** The arbitrator's action that has no answer yet. */
  pending: Pending | null;
}

interface Options {
  /** Called for each attempt, since the token and the last seq change. */
  url: () => string;
  /** Called for each message but the answers to actions. */
  onMessage: (message: ServerMessage) => void;
  onChange: (change: Partial<SocketState>) => void;
  /** The handshake failed, for a reason that browsers do not tell to scripts: REST may tell it. */
  onRefused: () => void;
}

const UNKNOWN_DEBATE = 1008;
const FIRST_MS = 400;
const LONGEST_MS = 15_000;

/** A WebSocket that reconnects: after growing pauses, or at once when the machine is online again. It sends actions. */
export class ReconnectingSocket {
  readonly outbox = new Outbox({
    send: (message) => this.send(message),
    onChange: (pending) => this.options.onChange({ pending }),
  });
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private attempt = 0;
  private readonly lifetime = new AbortController();

  constructor(private readonly options: Options) {}

  start(): void {
    const { signal } = this.lifetime;
    window.addEventListener('online', () => this.reconnectNow(), { signal });
    document.addEventListener('visibilitychange', () => this.skipPause(), { signal });
    // A page that is left may be kept, and come back as it was: not with an open connection.
    window.addEventListener('pagehide', () => this.drop(), { signal });
    window.addEventListener('pageshow', ({ persisted }) => persisted && this.comeBack(), { signal });
    this.connect();
  }

  stop(): void {
    this.lifetime.abort();
    if (this.timer !== null) clearTimeout(this.timer);
    this.drop();
  }

  /** Returns false if the socket is not open: the caller sends again after the next `initial_state`. */
  send(message: unknown): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** After sleep or a change of network a dead connection can look open for minutes, so it is always replaced. */
  private reconnectNow(): void {
    this.attempt = 0;
    this.connect();
  }

  private comeBack(): void {
    this.options.onChange({ connection: 'reconnecting' });
    this.reconnectNow();
  }

  private skipPause(): void {
    if (document.visibilityState === 'visible' && this.timer !== null) this.reconnectNow();
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    // Browsers log an error if a socket is closed while it connects.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  private connect(): void {
    if (this.lifetime.signal.aborted) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.drop();

    const socket = new WebSocket(this.options.url());
    let opened = false;
    this.socket = socket;
    socket.onopen = () => {
      opened = true;
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const message = parseMessage(data);
      if (message === null || this.outbox.receive(message)) return;
      const begins = message.event === 'initial_state';
      if (begins) {
        this.attempt = 0;
        this.options.onChange({ connection: 'live' });
      }
      this.options.onMessage(message);
      if (begins) this.outbox.resend();
    };
    socket.onclose = (close) => {
      this.socket = null;
      if (close.code === UNKNOWN_DEBATE || !opened) this.options.onRefused();
      this.options.onChange({ connection: 'reconnecting' });
      this.timer = setTimeout(() => this.connect(), reconnectDelay(this.attempt++));
    };
  }
}

/** Milliseconds before the next attempt: doubles up to 15 s, with jitter so that many tabs do not reconnect at once. */
export function reconnectDelay(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return ceiling / 2 + (ceiling / 2) * random();
}
