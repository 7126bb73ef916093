import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerMessage } from './messages';
import { type Connection, ReconnectingSocket } from './reconnectingSocket';

class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((close: { code: number }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  static get newest(): FakeSocket {
    const newest = FakeSocket.all.at(-1);
    if (newest === undefined) throw new Error('no socket was opened');
    return newest;
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.();
    this.onmessage?.({ data: '{"event":"initial_state","data":{}}' });
  }

  lose(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
  }
}

describe('the reconnecting socket', () => {
  const connections: Connection[] = [];
  const messages: ServerMessage[] = [];
  const onRefused = vi.fn();
  let seen = 0;
  let page: EventTarget;
  let socket: ReconnectingSocket;

  beforeEach(() => {
    vi.useFakeTimers();
    page = new EventTarget();
    vi.stubGlobal('WebSocket', FakeSocket);
    vi.stubGlobal('window', page);
    vi.stubGlobal('document', new EventTarget());
    FakeSocket.all = [];
    connections.length = 0;
    messages.length = 0;
    seen = 0;
    onRefused.mockClear();
    socket = new ReconnectingSocket({
      url: () => `ws://host/ws?after_seq=${seen}`,
      onMessage: (message) => messages.push(message),
      onChange: ({ connection }) => connection && connections.push(connection),
      onRefused,
    });
    socket.start();
  });

  afterEach(() => {
    socket.stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('is live once the initial state has arrived', () => {
    expect(socket.send({})).toBe(false);
    FakeSocket.newest.open();
    expect(connections).toEqual(['live']);
    expect(messages).toHaveLength(1);
    expect(socket.send({ a: 1 })).toBe(true);
    expect(FakeSocket.newest.sent).toEqual(['{"a":1}']);
  });

  it('reconnects with the last seq seen by then', async () => {
    FakeSocket.newest.open();
    seen = 7;
    FakeSocket.newest.lose();
    expect(connections.at(-1)).toBe('reconnecting');
    await vi.advanceTimersByTimeAsync(400);
    expect(FakeSocket.all).toHaveLength(2);
    expect(FakeSocket.newest.url).toContain('after_seq=7');
    FakeSocket.newest.open();
    expect(connections.at(-1)).toBe('live');
    expect(onRefused).not.toHaveBeenCalled();
  });

  it('waits longer after each failure, and reconnects at once when the machine is online again', async () => {
    for (let attempt = 0; attempt < 8; attempt += 1) {
      FakeSocket.newest.lose();
      await vi.advanceTimersByTimeAsync(15_000);
    }
    expect(onRefused).toHaveBeenCalledTimes(8);
    FakeSocket.newest.lose();
    const before = FakeSocket.all.length;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(FakeSocket.all).toHaveLength(before);
    page.dispatchEvent(new Event('online'));
    expect(FakeSocket.all).toHaveLength(before + 1);
  });

  it('closes when the page is left, and connects anew if that page comes back', () => {
    FakeSocket.newest.open();
    const left = FakeSocket.newest;
    page.dispatchEvent(new Event('pagehide'));
    expect(left.readyState).toBe(3);
    const shown = (persisted: boolean) =>
      page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
    shown(false);
    expect(FakeSocket.all).toHaveLength(1);
    shown(true);
    expect(connections.at(-1)).toBe('reconnecting');
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.newest.open();
    expect(connections.at(-1)).toBe('live');
  });

  it('reports that the server refused the debate', () => {
    FakeSocket.newest.open();
    FakeSocket.newest.lose(1008);
    expect(onRefused).toHaveBeenCalledOnce();
  });

  it('does not reconnect once stopped', async () => {
    FakeSocket.newest.open();
    socket.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });
});
