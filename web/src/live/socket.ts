import { backoff } from './backoff';
import { parseEvent, type ServerEvent } from './protocol';

export type Connection = 'connecting' | 'live' | 'reconnecting';

interface Options {
  /** Asked anew for each attempt: the token and what has been seen change. */
  url: () => string;
  onEvent: (event: ServerEvent) => void;
  onConnection: (connection: Connection) => void;
  /** A handshake that failed says nothing about why; whoever owns the socket may ask over REST. */
  onRefused: () => void;
}

const UNKNOWN_DEBATE = 1008;

/** One WebSocket that comes back: with growing pauses by itself, at once when the machine is online again. */
export class LiveSocket {
  private socket: WebSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private attempt = 0;
  private stopped = false;

  constructor(private readonly options: Options) {}

  start(): void {
    window.addEventListener('online', this.reconnectNow);
    document.addEventListener('visibilitychange', this.hurry);
    this.connect();
  }

  stop(): void {
    this.stopped = true;
    window.removeEventListener('online', this.reconnectNow);
    document.removeEventListener('visibilitychange', this.hurry);
    if (this.timer !== null) clearTimeout(this.timer);
    this.drop();
  }

  /** False where the connection is not there now: the caller keeps the message for `initial_state`. */
  send(message: unknown): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** After sleep or a change of network a dead connection can look open for minutes. */
  private readonly reconnectNow = (): void => {
    this.attempt = 0;
    this.connect();
  };

  private readonly hurry = (): void => {
    if (document.visibilityState === 'visible' && this.timer !== null) this.reconnectNow();
  };

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    // Closing a socket that is still connecting makes browsers complain on the console.
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
    socket.onmessage = (message: MessageEvent<string>) => {
      const event = parseEvent(message.data);
      if (event === null) return;
      if (event.event === 'initial_state') {
        this.attempt = 0;
        this.options.onConnection('live');
      }
      this.options.onEvent(event);
    };
    socket.onclose = (close) => {
      this.socket = null;
      if (close.code === UNKNOWN_DEBATE || !opened) this.options.onRefused();
      this.options.onConnection('reconnecting');
      this.timer = setTimeout(() => this.connect(), backoff(this.attempt++));
    };
  }
}
