import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Api, api } from '@/api/client';
import { FIRST_PAGE } from '@/debate/debateStore';
import { VERSIONS_PAGE } from '@/documents/useVersions';
import { ASKED_LIMIT } from '@/inbox/asked';
import { type Citing, citedVersions, newestCitedOf, newestCiting } from '@/plan/cited';

const SOURCE = readFileSync(
  new URL('../../scripts/early-requests.inline.js', import.meta.url),
  'utf8',
).replace('__CHUNKS__', 'CHUNKS');
// The client reads it when it is imported.
const ORIGIN = vi.hoisted(() => {
  const origin = 'http://127.0.0.1:3456';
  vi.stubGlobal('location', { origin });
  return origin;
});
const ID = '0e6cf1a8-7f0b-4c55-8f0a-2b54f9a4c3d1';
const PLAN = '5a0a4c0e-94b2-4b1b-a7a5-5f7a4cb7a7c2';
const OTHER = 'c2b5e0d4-3b59-43e0-9d2f-6b6a5f3c9b11';
const SCREENS = ['inbox', 'debate', 'thread', 'record', 'plan'];

interface Visit {
  answers?: Record<string, unknown>;
  token?: string;
  wide?: boolean;
}

/** What the script asks for, and preloads, at an address. */
async function visit(address: string, { answers = {}, token, wide = false }: Visit = {}) {
  const asked: string[] = [];
  const headers: unknown[] = [];
  const preloaded: string[] = [];
  const { pathname, search, hash } = new URL(address, ORIGIN);
  const window: Pick<Window, 'aweaveEarlyAnswers'> = {};
  runInNewContext(SOURCE, {
    CHUNKS: Object.fromEntries(SCREENS.map((screen) => [screen, [screen]])),
    URLSearchParams,
    location: { pathname, search, hash },
    sessionStorage: { getItem: () => token ?? null },
    window,
    matchMedia: () => ({ matches: wide }),
    document: {
      createElement: () => ({}),
      head: { append: ({ href }: HTMLLinkElement) => preloaded.push(href.replace('/_next/', '')) },
    },
    fetch: async (path: string, options: { headers: unknown }) => {
      asked.push(path);
      headers.push(options.headers);
      const data = answers[path];
      return data === undefined ? new Response('', { status: 503 }) : Response.json({ data });
    },
  });
  // What follows from the first answer.
  await new Promise((resolve) => setTimeout(resolve));
  return { asked, headers, preloaded, early: window.aweaveEarlyAnswers };
}

/** The path and query of what the app asks for. */
async function appAsks(request: (api: Api) => Promise<unknown>): Promise<string> {
  await request(api).catch(() => {});
  const [asked] = vi.mocked(fetch).mock.lastCall as [Request];
  const { pathname, search } = new URL(asked.url);
  return pathname + search;
}

beforeEach(() => {
  vi.stubGlobal('location', { origin: ORIGIN });
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response('', { status: 503 })),
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('the inbox: what is due, and what the first cards ask, as the app asks for it', async () => {
  const due = await appAsks((api) => api.rulingsDue());
  const debates = [ID, PLAN, OTHER, 'a fourth'].map((id) => ({ id }));
  const { asked, preloaded } = await visit('/', { answers: { [due]: { debates, total: 4 } } });
  const cards: string[] = [];
  for (const id of [ID, PLAN, OTHER])
    cards.push(await appAsks((api) => api.debate(id, { limit: ASKED_LIMIT })));
  expect(asked).toEqual([due, ...cards]);
  expect(preloaded).toEqual(['inbox']);
});

test('a debate: its newest arguments, as the app asks for them', async () => {
  const { asked, preloaded } = await visit(`/d/${ID.toUpperCase()}#7`);
  expect(asked).toEqual([await appAsks((api) => api.debate(ID, { limit: FIRST_PAGE }))]);
  expect(preloaded).toEqual(['debate', 'thread']);
});

test('a record: the debate and its record', async () => {
  const { asked, preloaded } = await visit(`/d/${ID}?record`);
  expect(asked).toEqual([
    await appAsks((api) => api.debate(ID, { limit: FIRST_PAGE })),
    await appAsks((api) => api.record(ID)),
  ]);
  expect(preloaded).toEqual(['debate', 'record']);
});

const citing = (seq: number, role: string, ...citations: [string, number][]) =>
  ({
    seq,
    role,
    type: 'CLAIM',
    created_at: '2026-01-01T00:00:00Z',
    citations: citations.map(([document_id, version]) => ({ document_id, version })),
  }) as Citing;

/** The plan and its newest version, as the panel chooses it. */
function chosenByApp(args: readonly Citing[]) {
  const newest = newestCiting(args);
  const id = newest && citedVersions(newest).at(-1)?.documentId;
  return id ? { id, version: newestCitedOf(id, args) } : null;
}

test.each([
  [
    'the newest citation of the proposer',
    [citing(1, 'proposer', [OTHER, 4]), citing(3, 'proposer', [PLAN, 2])],
  ],
  ['not one of the opponent', [citing(1, 'proposer', [PLAN, 1]), citing(2, 'opponent', [OTHER, 3])]],
  [
    'a newer version that was cited before an older one',
    [citing(1, 'proposer', [PLAN, 3]), citing(3, 'proposer', [PLAN, 1])],
  ],
  [
    'the last of several documents',
    [citing(1, 'proposer', [PLAN, 1]), citing(3, 'proposer', [OTHER, 2], [PLAN, 2])],
  ],
])('a plan: %s, as the app chooses it', async (_, [motion, ...others]) => {
  const debate = await appAsks((api) => api.debate(ID, { limit: FIRST_PAGE }));
  const { asked } = await visit(`/d/${ID}?plan`, { answers: { [debate]: { motion, arguments: others } } });
  const chosen = chosenByApp([motion as Citing, ...others]);
  expect(chosen).not.toBeNull();
  const { id, version } = chosen ?? { id: '', version: null };
  expect(asked.slice(0, 2)).toEqual([debate, await appAsks((api) => api.issueHistories(ID))]);
  expect(asked).toContain(await appAsks((api) => api.versions(id, { limit: VERSIONS_PAGE, offset: 0 })));
  expect(asked).toContain(await appAsks((api) => api.document(id, version)));
  expect(asked.filter((path) => path.startsWith('/documents/')).every((path) => path.includes(id))).toBe(
    true,
  );
});

test('a debate that cites nothing has no plan to ask for', async () => {
  const debate = `/debates/${ID}?limit=${FIRST_PAGE}`;
  const answers = {
    [debate]: { motion: citing(1, 'proposer'), arguments: [citing(2, 'opponent', [PLAN, 1])] },
  };
  const { asked } = await visit(`/d/${ID}?plan`, { answers });
  expect(asked).toEqual([debate, `/debates/${ID}/issues?history=true`]);
});

test('the debate beside a plan is loaded on a wide screen only', async () => {
  expect((await visit(`/d/${ID}?plan`)).preloaded).toEqual(['debate', 'plan']);
  expect((await visit(`/d/${ID}?plan`, { wide: true })).preloaded).toEqual(['debate', 'thread', 'plan']);
});

test('the token of this tab is sent and remembered', async () => {
  const { headers, early } = await visit(`/d/${ID}`, { token: 'secret' });
  expect(headers).toEqual([{ authorization: 'Bearer secret' }]);
  expect(early?.token).toBe('secret');
});

test.each(['/#sign-in=code', '/?list', '/d/not-an-id'])('nothing is asked for at %s', async (address) => {
  expect((await visit(address)).asked).toEqual([]);
});
