import { describe, expect, it } from 'vitest';
import { debate } from '@/testing/samples';
import { countNeeded, grouped, matches, merged } from './collection';

const EVERYTHING = { q: '', state: null };

describe('the list', () => {
  it('never lets an older picture replace a newer one', () => {
    const newer = debate({ last_seq: 3, state: 'CLOSED' });
    const known = merged(merged(new Map(), [newer]), [debate({ last_seq: 2 })]);
    expect([...known.values()]).toEqual([newer]);
  });

  it('puts what needs a ruling first, newest first', () => {
    const known = merged(new Map(), [
      debate({ id: 'a', updated_at: '2030-01-01T00:00:01Z' }),
      debate({ id: 'b', updated_at: '2030-01-01T00:00:02Z' }),
      debate({ id: 'c', state: 'AWAITING_ARBITRATOR' }),
      debate({ id: 'd', state: 'INTERVENTION_PENDING', updated_at: '2030-01-01T00:00:01Z' }),
    ]);
    const { needed, others } = grouped(known, EVERYTHING);
    expect(needed.map(({ id }) => id)).toEqual(['d', 'c']);
    expect(others.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(countNeeded(known)).toBe(2);
  });

  it('searches as the server does', () => {
    const one = debate({ id: 'abc1', title: 'Đặt tên 100% CHO Kiểu' });
    const found = (q: string) => matches(one, { q, state: null });
    expect(found('ABC')).toBe(true);
    expect(found('bc1')).toBe(false);
    expect(found('100%')).toBe(true);
    expect(found('cho')).toBe(true);
    expect(found('đặt')).toBe(false);
    expect(found('  ')).toBe(true);
    expect(matches(one, { q: '', state: 'CLOSED' })).toBe(false);
  });
});
