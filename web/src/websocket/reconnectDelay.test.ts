import { expect, it } from 'vitest';
import { parseMessage, socketUrl } from './messages';
import { reconnectDelay } from './reconnectingSocket';

it('waits longer after each attempt, at most 15 s and at least 200 ms', () => {
  const longest = Array.from({ length: 20 }, (_, attempt) => reconnectDelay(attempt, () => 1));
  expect(longest).toEqual([...longest].sort((a, b) => a - b));
  expect(longest.at(-1)).toBe(15_000);
  expect(reconnectDelay(0, () => 0)).toBe(200);
});

it('builds the URL of the WebSocket', () => {
  expect(socketUrl('https://host:1', { debate_id: 'd', after_seq: 0, token: 'a b&c' })).toBe(
    'wss://host:1/ws?debate_id=d&after_seq=0&token=a+b%26c',
  );
  expect(socketUrl('http://host', { token: null })).toBe('ws://host/ws');
});

it('ignores text that is not a message', () => {
  expect(parseMessage('{')).toBeNull();
  expect(parseMessage('null')).toBeNull();
  expect(parseMessage('{"event":"x"}')).toBeNull();
});
