import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { argument, debate } from '@/testing/samples';
import { compareHistory, type HistoryReport, historyOf, historyOfArgument, type SeqHash } from './history';
import { type HistoryAlarm, HistoryChecker } from './historyChecker';
import { LastSeenStore, parseLastSeen } from './lastSeen';

const ID = debate().id;
const hash = (letter: string) => letter.repeat(64);
const at = (seq: number, letter: string): SeqHash => ({ seq, hash: hash(letter) });
const report = (newest: SeqHash, ...hashes: SeqHash[]): HistoryReport => ({
  newest,
  hashes: [newest, ...hashes],
});

class FakeStorage {
  readonly items = new Map<string, string>();
  get length() {
    return this.items.size;
  }
  key = (index: number) => [...this.items.keys()][index] ?? null;
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}

let storage: FakeStorage;
const tab = (now = () => 1) => new LastSeenStore(() => storage as unknown as Storage, now);

beforeEach(() => {
  storage = new FakeStorage();
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => vi.unstubAllGlobals());

describe('a history', () => {
  it('matches if it has the argument that was seen, with the same hash', () => {
    expect(compareHistory(report(at(5, 'e'), at(3, 'c')), at(3, 'c'))).toBeNull();
    expect(compareHistory(report(at(5, 'e')), at(5, 'e'))).toBeNull();
  });

  it('is changed if the argument has another hash, even beside the right one', () => {
    expect(compareHistory(report(at(5, 'e'), at(3, 'x')), at(3, 'c'))).toEqual({ name: 'changed', seq: 3 });
    expect(compareHistory(report(at(5, 'e'), at(5, 'x')), at(5, 'e'))?.name).toBe('changed');
  });

  it('mismatches if the argument is missing', () => {
    expect(compareHistory(report(at(5, 'e')), at(3, 'c'))).toEqual({ name: 'gone', seq: 3 });
    expect(compareHistory(report(at(2, 'b')), at(3, 'c'))).toEqual({ name: 'shorter', seq: 3, now: 2 });
  });

  it('is read from a debate with its arguments, and from a single argument', () => {
    const motion = argument({ hash: hash('a') });
    const whole = historyOf(debate({ last_seq: 2, head: hash('b') }), [motion, argument({ seq: 2 })]);
    expect(whole).toEqual(report(at(2, 'b'), at(1, 'a')));
    expect(historyOfArgument(argument({ seq: 3, hash: hash('c') }))).toEqual(report(at(3, 'c')));
  });

  it('is unknown if the server sends no hashes', () => {
    expect(historyOf(debate(), [argument()])).toBeNull();
    expect(historyOfArgument(argument())).toBeNull();
  });
});

describe('the last seen argument', () => {
  it('is shared by tabs, and survives a reload', () => {
    tab().set(ID, at(3, 'c'));
    expect(tab().get(ID)).toEqual(at(3, 'c'));
    expect(tab().get('another')).toBeNull();
  });

  it('is kept for the 500 debates that were updated last', () => {
    let now = 0;
    const lastSeen = tab(() => ++now);
    storage.setItem('aweave.theme', 'dark');
    for (let n = 0; n < 500; n++) lastSeen.set(`debate-${n}`, at(1, 'a'));
    lastSeen.set('debate-0', at(2, 'b'));
    lastSeen.set('one-more', at(1, 'a'));
    const kept = tab();
    expect(storage.length).toBe(501);
    expect(kept.get('debate-1')).toBeNull();
    expect([kept.get('debate-0'), kept.get('one-more')]).toEqual([at(2, 'b'), at(1, 'a')]);
    expect(storage.getItem('aweave.theme')).toBe('dark');
  });

  it('is null if the stored value is malformed', () => {
    for (const malformed of [
      null,
      '',
      '{}',
      `0 ${hash('a')} 1`,
      `3 ${hash('g')} 1`,
      `3 ${hash('a')}`,
      '3 abc 1',
    ]) {
      expect(parseLastSeen(malformed)).toBeNull();
    }
  });

  it('is kept in memory if storage fails', () => {
    const lastSeen = new LastSeenStore(() => {
      throw new Error('no storage');
    });
    lastSeen.set(ID, at(3, 'c'));
    expect(lastSeen.get(ID)).toEqual(at(3, 'c'));
  });
});

describe('the history checker', () => {
  let lastSeen: LastSeenStore;
  let alarm: HistoryAlarm | null;
  const fetchReport = vi.fn<(seq: number) => Promise<HistoryReport | null>>();

  const newChecker = () =>
    new HistoryChecker({
      debateId: ID,
      lastSeen,
      fetchReport,
      onAlarm: (change) => {
        alarm = change;
      },
    });
  const settled = () => new Promise((resolve) => setTimeout(resolve));

  beforeEach(() => {
    lastSeen = tab();
    alarm = null;
    fetchReport.mockReset();
  });

  it('remembers the first history and each that extends it, without a request', () => {
    const checker = newChecker();
    checker.check(report(at(2, 'b')));
    expect(lastSeen.get(ID)).toEqual(at(2, 'b'));
    checker.check(report(at(4, 'd'), at(2, 'b')));
    expect(lastSeen.get(ID)).toEqual(at(4, 'd'));
    checker.check(null);
    expect(fetchReport).not.toHaveBeenCalled();
  });

  it('fetches the argument that was seen if an answer does not have it', async () => {
    lastSeen.set(ID, at(2, 'b'));
    fetchReport.mockResolvedValue(report(at(3, 'c'), at(2, 'b')));
    newChecker().check(report(at(3, 'c')));
    await settled();
    expect(fetchReport).toHaveBeenCalledExactlyOnceWith(2);
    expect([alarm, lastSeen.get(ID)]).toEqual([null, at(3, 'c')]);
  });

  it('raises no alarm for an answer that a later one overtook', async () => {
    lastSeen.set(ID, at(5, 'e'));
    fetchReport.mockResolvedValue(report(at(6, 'f'), at(5, 'e')));
    newChecker().check(report(at(4, 'd')));
    await settled();
    expect([alarm, lastSeen.get(ID)]).toEqual([null, at(6, 'f')]);
  });

  it('raises no alarm if another tab sees more during the request', async () => {
    lastSeen.set(ID, at(2, 'b'));
    fetchReport.mockImplementationOnce(async () => {
      tab().set(ID, at(9, '9'));
      return report(at(3, 'c'), at(2, 'b'));
    });
    newChecker().check(report(at(3, 'c')));
    await settled();
    expect([alarm, lastSeen.get(ID)]).toEqual([null, at(9, '9')]);
  });

  it('sends one request for many answers at once, and one more for those that came meanwhile', async () => {
    lastSeen.set(ID, at(1, 'a'));
    fetchReport.mockImplementation(async (seq) => report(at(4, 'd'), lastSeen.get(ID) ?? at(seq, 'a')));
    const checker = newChecker();
    for (const [seq, letter] of [
      [2, 'b'],
      [3, 'c'],
      [4, 'd'],
    ] as const)
      checker.check(report(at(seq, letter)));
    await settled();
    expect(fetchReport).toHaveBeenCalledTimes(2);
    expect(alarm).toBeNull();
  });

  it.each([
    ['a changed argument', report(at(6, 'f'), at(5, 'x')), { name: 'changed', seq: 5 }],
    ['a missing argument', report(at(6, 'f')), { name: 'gone', seq: 5 }],
    ['a shorter history', report(at(4, 'd')), { name: 'shorter', seq: 5, now: 4 }],
  ])('warns of %s, and keeps what was seen until the history is accepted', async (_, now, mismatch) => {
    lastSeen.set(ID, at(5, 'e'));
    fetchReport.mockResolvedValue(now);
    const checker = newChecker();
    checker.check(now);
    await settled();
    expect(alarm).toEqual({ mismatch, newest: now.newest });
    checker.check(report(at(7, '7'), at(5, 'e')));
    expect(alarm).not.toBeNull();
    expect(lastSeen.get(ID)).toEqual(at(5, 'e'));
    checker.accept();
    expect([alarm, lastSeen.get(ID)]).toEqual([null, now.newest]);
  });

  it('stops warning when another tab has accepted the history', async () => {
    lastSeen.set(ID, at(5, 'e'));
    fetchReport.mockResolvedValue(report(at(4, 'd')));
    const checker = newChecker();
    checker.start(new AbortController().signal);
    checker.check(report(at(4, 'd')));
    await settled();
    expect(alarm).not.toBeNull();
    tab().set(ID, at(4, 'd'));
    window.dispatchEvent(Object.assign(new Event('storage'), { key: `aweave.head.${ID}` }));
    await settled();
    expect(alarm).toBeNull();
  });

  it('waits for the next answer if the server cannot be reached', async () => {
    lastSeen.set(ID, at(5, 'e'));
    fetchReport.mockRejectedValueOnce(new Error('unreachable')).mockResolvedValue(report(at(4, 'd')));
    const checker = newChecker();
    checker.check(report(at(4, 'd')));
    await settled();
    expect(alarm).toBeNull();
    checker.check(report(at(4, 'd')));
    await settled();
    expect(alarm).not.toBeNull();
  });
});
