import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError, api } from '@/api/client';
import type { Debate } from '@/api/types';
import { handleAuthFailure } from '@/auth/access';
import { notifyRulingNeeded } from '@/notifications/notifications';
import { asks, debate } from '@/testing/samples';
import { DebateListStore } from './debateListStore';
import { NO_FILTER } from './debates';

vi.mock('@/auth/access');
vi.mock('@/notifications/notifications');
const debates = vi.spyOn(api, 'debates');
const rulingsDue = vi.spyOn(api, 'rulingsDue');
let socket: { onmessage: (message: { data: string }) => void; onclose: unknown };
let list: DebateListStore;

const receive = (event: string, data: unknown) => socket.onmessage({ data: JSON.stringify({ event, data }) });
const debatesIn = (store: DebateListStore): Debate[] => [...store.state.get().debates.values()];

beforeEach(() => {
  vi.mocked(notifyRulingNeeded).mockClear();
  vi.mocked(handleAuthFailure).mockClear();
  debates.mockReset().mockResolvedValue({ debates: [], total: 0 });
  rulingsDue.mockReset().mockResolvedValue({ debates: [], total: 0 });
  vi.stubGlobal(
    'WebSocket',
    class {
      constructor() {
        socket = this as unknown as typeof socket;
      }
      close() {}
    },
  );
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('location', { origin: 'http://host' });
  list = new DebateListStore();
});

afterEach(() => {
  list.stop();
  vi.unstubAllGlobals();
});

const asking = (id: string, lastSeq = 3) =>
  debate({ id, state: 'AWAITING_ARBITRATOR', ruling_request: asks('APPEAL'), last_seq: lastSeq });

it('keeps what is due in the order of the server, and follows it live', async () => {
  rulingsDue.mockResolvedValue({ debates: [asking('old'), asking('new')], total: 2 });
  list.start();
  await vi.waitFor(() => expect(list.state.get().dueLoaded).toBe(true));
  expect(list.state.get().due).toEqual(['old', 'new']);
  receive('debate_changed', asking('newest'));
  receive('debate_changed', debate({ id: 'old', state: 'CLOSED', last_seq: 4 }));
  expect(list.state.get().due).toEqual(['new', 'newest']);
});

it('counts what the server did not name at once, and asks for it when there is room', async () => {
  rulingsDue.mockResolvedValue({ debates: [asking('old'), asking('new')], total: 501 });
  list.start();
  await vi.waitFor(() => expect(list.state.get().dueBeyond).toBe(499));
  receive('debate_changed', asking('newest'));
  expect(list.state.get()).toMatchObject({ due: ['old', 'new', 'newest'], dueBeyond: 499 });
  rulingsDue.mockResolvedValue({ debates: [asking('new'), asking('next')], total: 500 });
  receive('debate_changed', debate({ id: 'old', state: 'CLOSED', last_seq: 4 }));
  await vi.waitFor(() => expect(list.state.get()).toMatchObject({ due: ['new', 'next'], dueBeyond: 498 }));
});

it('keeps what became due, or was ruled on, while the answer was on its way', async () => {
  let answer: (value: Awaited<ReturnType<typeof api.rulingsDue>>) => void = () => undefined;
  rulingsDue.mockReturnValue(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  list.start();
  receive('debate_changed', asking('meanwhile'));
  receive('debate_changed', debate({ id: 'ruled', state: 'AWAITING_PROPOSER', last_seq: 4 }));
  answer({ debates: [asking('old'), asking('ruled', 3)], total: 2 });
  await vi.waitFor(() => expect(list.state.get().dueLoaded).toBe(true));
  expect(list.state.get().due).toEqual(['old', 'meanwhile']);
});

it('reports once that a debate needs a ruling, and only when it happens live', () => {
  list.start();
  receive('initial_state', {
    debates: [
      debate({ id: 'old', state: 'AWAITING_ARBITRATOR', ruling_request: asks('APPEAL'), last_seq: 3 }),
    ],
    total: 1,
  });
  expect(notifyRulingNeeded).not.toHaveBeenCalled();
  receive('debate_changed', debate({ id: 'a', last_seq: 2 }));
  const asking = debate({
    id: 'a',
    state: 'AWAITING_ARBITRATOR',
    ruling_request: asks('APPEAL'),
    last_seq: 3,
  });
  receive('debate_changed', asking);
  receive('debate_changed', asking);
  expect(notifyRulingNeeded).toHaveBeenCalledExactlyOnceWith(asking);
  expect(debatesIn(list)).toHaveLength(2);

  // Of the ruling between these two nothing was told.
  const asksAgain = { ...asking, ruling_request: asks('APPEAL', { seq: 6 }), last_seq: 6 };
  receive('debate_changed', asksAgain);
  expect(notifyRulingNeeded).toHaveBeenCalledTimes(2);
  expect(notifyRulingNeeded).toHaveBeenLastCalledWith(asksAgain);
});

it('keeps its debates when the server cannot be reached, and reports the error', async () => {
  debates.mockResolvedValueOnce({ debates: [debate()], total: 1 });
  list.start();
  await vi.waitFor(() => expect(list.state.get().loaded).toBe(true));
  debates.mockRejectedValue(new ApiError({ code: 'CONNECTION_ERROR', message: '' }));
  await list.refresh();
  expect(list.state.get().failure?.code).toBe('CONNECTION_ERROR');
  expect(debatesIn(list)).toHaveLength(1);
  expect(handleAuthFailure).toHaveBeenCalled();
});

it('drops the answer to an outdated search', async () => {
  list.start();
  debates.mockImplementation(async ({ q }, signal) => {
    await Promise.resolve();
    if (signal?.aborted) throw new DOMException('', 'AbortError');
    return { debates: [], total: q === 'second' ? 2 : 1 };
  });
  list.setFilter({ ...NO_FILTER, q: 'first' });
  list.setFilter({ ...NO_FILTER, q: 'second' });
  await vi.waitFor(() => expect(list.state.get().loaded).toBe(true));
  expect(list.state.get().total).toBe(2);
});

it('asks the server again what a filter finds when a debate has changed', async () => {
  list.start();
  debates.mockResolvedValue({ debates: [debate({ id: 'b' }), debate({ id: 'a' })], total: 2 });
  list.setFilter({ ...NO_FILTER, q: 'found' });
  await vi.waitFor(() => expect(list.state.get().listed).toEqual(['b', 'a']));
  debates.mockResolvedValue({ debates: [debate({ id: 'a', last_seq: 2 })], total: 1 });
  receive('debate_changed', debate({ id: 'b', last_seq: 2, title: 'Another' }));
  await vi.waitFor(() => expect(list.state.get().listed).toEqual(['a']));
});

it('is in the order of the server, and what changes comes first', async () => {
  const answers: ((ids: readonly string[]) => void)[] = [];
  debates.mockImplementation(
    () =>
      new Promise((resolve) => {
        answers.push((ids) => resolve({ debates: ids.map((id) => debate({ id })), total: 3 }));
      }),
  );
  list.start();
  // A page may be older than what was told while it was on its way.
  receive('debate_changed', debate({ id: 'new', last_seq: 2 }));
  answers[0]?.(['b', 'a']);
  await vi.waitFor(() => expect(list.state.get().listed).toEqual(['new', 'b', 'a']));
  receive('debate_changed', debate({ id: 'a', last_seq: 2 }));
  expect(list.state.get().listed).toEqual(['a', 'new', 'b']);
  void list.more();
  answers[1]?.(['b', 'c']);
  await vi.waitFor(() => expect(list.state.get().listed).toEqual(['a', 'new', 'b', 'c']));
  void list.refresh();
  answers[2]?.(['c', 'a', 'b']);
  await vi.waitFor(() => expect(list.state.get().listed).toEqual(['c', 'a', 'b']));
});
