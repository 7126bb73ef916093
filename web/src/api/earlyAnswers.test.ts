import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchOrTakeEarly } from './earlyAnswers';
import { token } from './token';

const URL = 'http://127.0.0.1:3456/debates/1?limit=30';

const askNow = vi.fn(async () => new Response('now'));

/** What the head of the page leaves behind. */
function askedEarly(answer: Promise<Response>) {
  answer.catch(() => {});
  vi.stubGlobal('window', {
    aweaveEarlyAnswers: { token: null, answers: new Map([['/debates/1?limit=30', answer]]) },
  });
}

async function text(request = new Request(URL)) {
  return (await fetchOrTakeEarly(request)).text();
}

beforeEach(() => {
  vi.stubGlobal('fetch', askNow);
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
});

afterEach(() => {
  token.set(null);
  vi.unstubAllGlobals();
});

test('an answer that was asked for early is taken once', async () => {
  askedEarly(Promise.resolve(new Response('early')));
  expect(await text()).toBe('early');
  expect(await text()).toBe('now');
});

test('an answer for another path, method or token is not taken', async () => {
  askedEarly(Promise.resolve(new Response('early')));
  expect(await text(new Request(`${URL}&offset=30`))).toBe('now');
  expect(await text(new Request(URL, { method: 'POST' }))).toBe('now');
  token.set('another');
  expect(await text()).toBe('now');
});

test('after an early request that failed the server is asked again', async () => {
  askedEarly(Promise.reject(new TypeError('the network is down')));
  expect(await text()).toBe('now');
});
