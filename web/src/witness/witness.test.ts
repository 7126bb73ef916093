import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { argument, debate } from '@/testing/samples';
import { Heads, parseHead } from './heads';
import { type Seen, type Told, told, toldBy, verdict } from './history';
import { type Alarm, Witness } from './witness';

const ID = debate().id;
const hash = (letter: string) => letter.repeat(64);
const place = (seq: number, letter: string): Seen => ({ seq, hash: hash(letter) });
const answer = (newest: Seen, ...places: Seen[]): Told => ({ newest, places: [newest, ...places] });

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
const tab = (now = () => 1) => new Heads(() => storage as unknown as Storage, now);

beforeEach(() => {
  storage = new FakeStorage();
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => vi.unstubAllGlobals());

describe('a history', () => {
  it('goes on where the place that was seen has the same hash', () => {
    expect(verdict(answer(place(5, 'e'), place(3, 'c')), place(3, 'c')).name).toBe('extends');
    expect(verdict(answer(place(5, 'e')), place(5, 'e')).name).toBe('extends');
  });

  it('does not where it has another, also beside the right one', () => {
    expect(verdict(answer(place(5, 'e'), place(3, 'x')), place(3, 'c'))).toEqual({ name: 'changed', seq: 3 });
    expect(verdict(answer(place(5, 'e'), place(5, 'x')), place(5, 'e')).name).toBe('changed');
  });

  it('does not where the place is not there', () => {
    expect(verdict(answer(place(5, 'e')), place(3, 'c'))).toEqual({ name: 'gone', seq: 3 });
    expect(verdict(answer(place(2, 'b')), place(3, 'c'))).toEqual({ name: 'shorter', seq: 3, now: 2 });
  });

  it('is told by a debate with its arguments, and by one that arrives', () => {
    const motion = argument({ hash: hash('a') });
    const whole = told(debate({ last_seq: 2, head: hash('b') }), [motion, argument({ seq: 2 })]);
    expect(whole).toEqual(answer(place(2, 'b'), place(1, 'a')));
    expect(toldBy(argument({ seq: 3, hash: hash('c') }))).toEqual(answer(place(3, 'c')));
  });

  it('is not told by a server without hashes', () => {
    expect(told(debate(), [argument()])).toBeNull();
    expect(toldBy(argument())).toBeNull();
  });
});

describe('what is remembered', () => {
  it('is the same in every tab, and after a reload', () => {
    tab().set(ID, place(3, 'c'));
    expect(tab().get(ID)).toEqual(place(3, 'c'));
    expect(tab().get('another')).toBeNull();
  });

  it('is of the 500 debates that were seen to go on last', () => {
    let now = 0;
    const heads = tab(() => ++now);
    storage.setItem('aweave.theme', 'dark');
    for (let n = 0; n < 500; n++) heads.set(`debate-${n}`, place(1, 'a'));
    heads.set('debate-0', place(2, 'b'));
    heads.set('one-more', place(1, 'a'));
    const kept = tab();
    expect(storage.length).toBe(501);
    expect(kept.get('debate-1')).toBeNull();
    expect([kept.get('debate-0'), kept.get('one-more')]).toEqual([place(2, 'b'), place(1, 'a')]);
    expect(storage.getItem('aweave.theme')).toBe('dark');
  });

  it('is nothing where something else is found in its place', () => {
    for (const odd of [null, '', '{}', `0 ${hash('a')} 1`, `3 ${hash('g')} 1`, `3 ${hash('a')}`, '3 abc 1']) {
      expect(parseHead(odd)).toBeNull();
    }
  });

  it('lives as long as the page where storage refuses', () => {
    const heads = new Heads(() => {
      throw new Error('no storage here');
    });
    heads.set(ID, place(3, 'c'));
    expect(heads.get(ID)).toEqual(place(3, 'c'));
  });
});

describe('the witness', () => {
  let heads: Heads;
  let alarm: Alarm | null;
  const ask = vi.fn<(seq: number) => Promise<Told | null>>();

  const witness = () =>
    new Witness({
      debateId: ID,
      heads,
      ask,
      onAlarm: (change) => {
        alarm = change;
      },
    });
  const settled = () => new Promise((resolve) => setTimeout(resolve));

  beforeEach(() => {
    heads = tab();
    alarm = null;
    ask.mockReset();
  });

  it('remembers what it sees first, and what goes on from there, without asking', () => {
    const seen = witness();
    seen.look(answer(place(2, 'b')));
    expect(heads.get(ID)).toEqual(place(2, 'b'));
    seen.look(answer(place(4, 'd'), place(2, 'b')));
    expect(heads.get(ID)).toEqual(place(4, 'd'));
    seen.look(null);
    expect(ask).not.toHaveBeenCalled();
  });

  it('asks for the place it knows where what arrives does not tell it', async () => {
    heads.set(ID, place(2, 'b'));
    ask.mockResolvedValue(answer(place(3, 'c'), place(2, 'b')));
    witness().look(answer(place(3, 'c')));
    await settled();
    expect(ask).toHaveBeenCalledExactlyOnceWith(2);
    expect([alarm, heads.get(ID)]).toEqual([null, place(3, 'c')]);
  });

  it('raises no alarm for an answer that a later one overtook', async () => {
    heads.set(ID, place(5, 'e'));
    ask.mockResolvedValue(answer(place(6, 'f'), place(5, 'e')));
    witness().look(answer(place(4, 'd')));
    await settled();
    expect([alarm, heads.get(ID)]).toEqual([null, place(6, 'f')]);
  });

  it('raises no alarm where another tab sees more while the question is under way', async () => {
    heads.set(ID, place(2, 'b'));
    ask.mockImplementationOnce(async () => {
      tab().set(ID, place(9, '9'));
      return answer(place(3, 'c'), place(2, 'b'));
    });
    witness().look(answer(place(3, 'c')));
    await settled();
    expect([alarm, heads.get(ID)]).toEqual([null, place(9, '9')]);
  });

  it('asks once for what arrives in a rush, and once more for what came meanwhile', async () => {
    heads.set(ID, place(1, 'a'));
    ask.mockImplementation(async (seq) => answer(place(4, 'd'), heads.get(ID) ?? place(seq, 'a')));
    const seen = witness();
    for (const [seq, letter] of [
      [2, 'b'],
      [3, 'c'],
      [4, 'd'],
    ] as const)
      seen.look(answer(place(seq, letter)));
    await settled();
    expect(ask).toHaveBeenCalledTimes(2);
    expect(alarm).toBeNull();
  });

  it.each([
    ['a changed place', answer(place(6, 'f'), place(5, 'x')), { name: 'changed', seq: 5 }],
    ['a place that is gone', answer(place(6, 'f')), { name: 'gone', seq: 5 }],
    ['a shorter history', answer(place(4, 'd')), { name: 'shorter', seq: 5, now: 4 }],
  ])('warns of %s, and keeps what it remembers until that is accepted', async (_, now, fault) => {
    heads.set(ID, place(5, 'e'));
    ask.mockResolvedValue(now);
    const seen = witness();
    seen.look(now);
    await settled();
    expect(alarm).toEqual({ fault, newest: now.newest });
    seen.look(answer(place(7, '7'), place(5, 'e')));
    expect(alarm).not.toBeNull();
    expect(heads.get(ID)).toEqual(place(5, 'e'));
    seen.accept();
    expect([alarm, heads.get(ID)]).toEqual([null, now.newest]);
  });

  it('stops warning when another tab has accepted the history', async () => {
    heads.set(ID, place(5, 'e'));
    ask.mockResolvedValue(answer(place(4, 'd')));
    const seen = witness();
    seen.start();
    seen.look(answer(place(4, 'd')));
    await settled();
    expect(alarm).not.toBeNull();
    tab().set(ID, place(4, 'd'));
    window.dispatchEvent(Object.assign(new Event('storage'), { key: `aweave.head.${ID}` }));
    await settled();
    expect(alarm).toBeNull();
    seen.stop();
  });

  it('waits for the next answer where the server is away', async () => {
    heads.set(ID, place(5, 'e'));
    ask.mockRejectedValueOnce(new Error('away')).mockResolvedValue(answer(place(4, 'd')));
    const seen = witness();
    seen.look(answer(place(4, 'd')));
    await settled();
    expect(alarm).toBeNull();
    seen.look(answer(place(4, 'd')));
    await settled();
    expect(alarm).not.toBeNull();
  });
});
