import { parseMessage, type ServerMessage } from './messages';

export type Connection = 'connecting' | 'live' | 'reconnecting';

interface Options {
  /** Called for each attempt, since the token and the last seq change. */
  url: () => string;
  onMessage: (message: ServerMessage) => void;
  onConnection?: (connection: Connection) => void;
  /** The handshake failed, for a reason that browsers do not tell to scripts: REST may tell it. */
  onRefused: () => void;
}

const UNKNOWN_DEBATE = 1008;
const FIRST_MS = 400;
const LONGEST_MS = 15_000;

/** A WebSocket that reconnects: after growing pauses, or at once when the machine is online again. */
export class ReconnectingSocket {
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private attempt = 0;
  private stopped = false;

  constructor(private readonly options: Options) {}

  start(): void {
    window.addEventListener('online', this.reconnectNow);
    document.addEventListener('visibilitychange', this.skipPause);
    this.connect();
  }

  stop(): void {
    this.stopped = true;
    window.removeEventListener('online', this.reconnectNow);
    document.removeEventListener('visibilitychange', this.skipPause);
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
  private readonly reconnectNow = (): void => {
    this.attempt = 0;
    this.connect();
  };

  private readonly skipPause = (): void => {
    if (document.visibilityState === 'visible' && this.timer !== null) this.reconnectNow();
  };

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
    if (this.stopped) return;
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
      if (message === null) return;
      if (message.event === 'initial_state') {
        this.attempt = 0;
        this.options.onConnection?.('live');
      }
      this.options.onMessage(message);
    };
    socket.onclose = (close) => {
      this.socket = null;
      if (close.code === UNKNOWN_DEBATE || !opened) this.options.onRefused();
      this.options.onConnection?.('reconnecting');
      this.timer = setTimeout(() => this.connect(), reconnectDelay(this.attempt++));
    };
  }
}

/** Milliseconds before the next attempt: doubles up to 15 s, with jitter so that many tabs do not reconnect at once. */
export function reconnectDelay(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return ceiling / 2 + (ceiling / 2) * random();
}
