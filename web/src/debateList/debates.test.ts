import { describe, expect, it } from 'vitest';
import { debate } from '@/testing/samples';
import { countNeedingRuling, groupDebates, matchesFilter, mergeDebates } from './debates';

const NO_FILTER = { q: '', state: null };

describe('the list', () => {
  it('never replaces a newer state by an older one', () => {
    const newer = debate({ last_seq: 3, state: 'CLOSED' });
    const debates = mergeDebates(mergeDebates(new Map(), [newer]), [debate({ last_seq: 2 })]);
    expect([...debates.values()]).toEqual([newer]);
  });

  it('puts debates that need a ruling first, the last changed first', () => {
    const debates = mergeDebates(new Map(), [
      debate({ id: 'a', updated_at: '2030-01-01T00:00:01Z' }),
      debate({ id: 'b', updated_at: '2030-01-01T00:00:02Z' }),
      debate({ id: 'c', state: 'AWAITING_ARBITRATOR' }),
      debate({ id: 'd', state: 'INTERVENTION_PENDING', updated_at: '2030-01-01T00:00:01Z' }),
    ]);
    const { needed, others } = groupDebates(debates, NO_FILTER);
    expect(needed.map(({ id }) => id)).toEqual(['d', 'c']);
    expect(others.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(countNeedingRuling(debates)).toBe(2);
  });

  it('searches like the server', () => {
    const one = debate({ id: 'abc1', title: 'Đặt tên 100% CHO Kiểu' });
    const found = (q: string) => matchesFilter(one, { q, state: null });
    expect(found('ABC')).toBe(true);
    expect(found('bc1')).toBe(false);
    expect(found('100%')).toBe(true);
    expect(found('cho')).toBe(true);
    expect(found('đặt')).toBe(false);
    expect(found('  ')).toBe(true);
    expect(matchesFilter(one, { q: '', state: 'CLOSED' })).toBe(false);
  });
});
