import { afterEach, expect, it, vi } from 'vitest';
import { answerTo, startFirstRequests } from './firstRequests';

const ID = '4e953f4c-f7c9-4cf2-b66b-a4e6e7834941';
const LIST = '/debates?limit=50&offset=0';
const BEGIN = [LIST, '/wait?role=arbitrator&timeout=0'];

function open(pathname: string, hash = '', token: string | null = null) {
  const fetched = vi.fn(async (_: string | Request) => new Response());
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('window', {});
  vi.stubGlobal('location', { pathname, hash });
  vi.stubGlobal('sessionStorage', { getItem: () => token });
  startFirstRequests();
  return fetched;
}

afterEach(() => vi.unstubAllGlobals());

it('asks for what the page shows first, before the app is there', () => {
  expect(open('/').mock.calls.flat()).toEqual(BEGIN);
  expect(open(`/d/${ID.toUpperCase()}`).mock.calls.flat()).toEqual([`/debates/${ID}?limit=30`, ...BEGIN]);
  expect(open('/d/cut-short').mock.calls.flat()).toEqual(BEGIN);
});

it('asks for nothing where a token is sent, or is about to be', () => {
  expect(open('/', '', 'secret')).not.toHaveBeenCalled();
  expect(open('/', '#sign-in=code')).not.toHaveBeenCalled();
});

it('gives each answer once, and none to a request with a token', async () => {
  const fetched = open('/');
  const url = `http://127.0.0.1${LIST}`;
  const early = window.firstAnswers?.[LIST];
  await answerTo(new Request(url, { headers: { authorization: 'Bearer secret' } }));
  expect(fetched).toHaveBeenCalledTimes(3);
  expect(await answerTo(new Request(url))).toBe(await early);
  expect(fetched).toHaveBeenCalledTimes(3);
  await answerTo(new Request(url));
  expect(fetched).toHaveBeenCalledTimes(4);
});

it('gives none to a request that was given up', async () => {
  open('/');
  const request = new AbortController();
  const answer = answerTo(new Request(`http://127.0.0.1${LIST}`, { signal: request.signal }));
  request.abort();
  await expect(answer).rejects.toThrow('aborted');
});
