import { describe, expect, it } from 'vitest';
import { argument, debate, run } from '@/testing/samples';
import {
  appended,
  atEnd,
  atStart,
  firstSeq,
  fromContext,
  joined,
  lastSeq,
  moved,
  stateChanged,
} from './view';

const motion = argument();
const short = fromContext({ debate: debate(), motion, arguments: run(2, 4) });
const long = fromContext({ debate: debate({ last_seq: 90 }), motion, arguments: run(61, 90) });

describe('the window', () => {
  it('begins with the motion where it reaches it', () => {
    expect(short.items.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(atStart(short)).toBe(true);
    expect(firstSeq(long)).toBe(61);
    expect(atStart(long)).toBe(false);
    expect(fromContext({ debate: debate(), motion, arguments: [] }).items).toEqual([motion]);
  });

  it('takes a new argument at its end, once', () => {
    const next = appended(short, argument({ seq: 5 }));
    expect(lastSeq(next)).toBe(5);
    expect(next.debate.last_seq).toBe(5);
    expect(appended(next, argument({ seq: 5 }))).toBe(next);
  });

  it('counts a new argument, but does not show it, while it is elsewhere', () => {
    const away = appended(moved(long, run(10, 20)), argument({ seq: 91 }));
    expect(lastSeq(away)).toBe(20);
    expect(away.last.seq).toBe(91);
    expect(atEnd(away)).toBe(false);
  });

  it('grows by pages that touch it, and by no others', () => {
    const earlier = joined(long, run(1, 60));
    expect(earlier.items).toHaveLength(90);
    expect(earlier.prepended).toBe(true);
    expect(joined(long, run(1, 20))).toBe(long);
    expect(joined(long, [])).toBe(long);
    const later = joined(moved(long, run(1, 30)), run(31, 60));
    expect(later.items).toHaveLength(60);
    expect(later.prepended).toBe(false);
  });

  it('starts afresh when it moves', () => {
    expect(moved(long, run(1, 30)).epoch).toBe(long.epoch + 1);
  });

  it('takes its state from the server', () => {
    const change = { state: 'CLOSED', updated_at: '2030-02-02T00:00:00Z' };
    expect(stateChanged(short, change).debate).toMatchObject(change);
  });
});
