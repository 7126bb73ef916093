import { expect, it } from 'vitest';
import { backoff } from './backoff';
import { parseEvent, socketUrl } from './protocol';

it('waits longer each time, never longer than a quarter of a minute, never not at all', () => {
  const longest = Array.from({ length: 20 }, (_, attempt) => backoff(attempt, () => 1));
  expect(longest).toEqual([...longest].sort((a, b) => a - b));
  expect(longest.at(-1)).toBe(15_000);
  expect(backoff(0, () => 0)).toBe(200);
});

it('builds the address of the socket', () => {
  expect(socketUrl('https://host:1', { debate_id: 'd', after_seq: 0, token: 'a b&c' })).toBe(
    'wss://host:1/ws?debate_id=d&after_seq=0&token=a+b%26c',
  );
  expect(socketUrl('http://host', { token: null })).toBe('ws://host/ws');
});

it('ignores what is no event', () => {
  expect(parseEvent('{')).toBeNull();
  expect(parseEvent('null')).toBeNull();
  expect(parseEvent('{"event":"x"}')).toBeNull();
});
