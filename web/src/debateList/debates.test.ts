import { describe, expect, it } from 'vitest';
import { asks, debate } from '@/testing/samples';
import { dueAfter, groupDebates, matchesFilter, mergeDebates, NO_FILTER } from './debates';

describe('the list', () => {
  it('never replaces a newer state by an older one', () => {
    const newer = debate({ last_seq: 3, state: 'CLOSED' });
    const debates = mergeDebates(mergeDebates(new Map(), [newer]), [debate({ last_seq: 2 })]);
    expect([...debates.values()]).toEqual([newer]);
  });

  it('puts debates that need a ruling first, in the order of the server, the others by their last change', () => {
    const debates = mergeDebates(new Map(), [
      debate({ id: 'a', updated_at: '2030-01-01T00:00:01Z' }),
      debate({ id: 'b', updated_at: '2030-01-01T00:00:02Z' }),
      debate({ id: 'c', state: 'AWAITING_ARBITRATOR', ruling_request: asks('APPEAL') }),
      debate({
        id: 'd',
        state: 'INTERVENTION_PENDING',
        ruling_request: asks('INTERVENTION'),
        updated_at: '2030-01-01T00:00:01Z',
      }),
    ]);
    const { needed, others } = groupDebates(debates, ['c', 'd'], NO_FILTER);
    expect(needed.map(({ id }) => id)).toEqual(['c', 'd']);
    expect(others.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it('searches like the server', () => {
    const one = debate({ id: 'abc1', title: 'Đặt tên 100% CHO Kiểu' });
    const found = (q: string) => matchesFilter(one, { ...NO_FILTER, q });
    expect(found('ABC')).toBe(true);
    expect(found('bc1')).toBe(false);
    expect(found('100%')).toBe(true);
    expect(found('cho')).toBe(true);
    expect(found('đặt')).toBe(true);
    expect(found('ĐẶT TÊN')).toBe(true);
    expect(found('dat')).toBe(false);
    expect(found('  ')).toBe(true);
    expect(matchesFilter(one, { ...NO_FILTER, state: 'CLOSED' })).toBe(false);
    expect(matchesFilter(one, { ...NO_FILTER, type: 'coding_plan_debate' })).toBe(false);
    expect(matchesFilter(one, { q: 'abc', state: 'AWAITING_OPPONENT', type: 'general_debate' })).toBe(true);
  });

  it('adds what comes up to the end of what is due, and removes what was ruled on', () => {
    const asking = (id: string) =>
      debate({ id, state: 'AWAITING_ARBITRATOR', ruling_request: asks('APPEAL') });
    expect(dueAfter(['a'], asking('b'))).toEqual(['a', 'b']);
    // A late delivery changes a debate that waits already.
    expect(
      dueAfter(
        ['a', 'b'],
        debate({ id: 'a', state: 'INTERVENTION_PENDING', ruling_request: asks('INTERVENTION') }),
      ),
    ).toEqual(['a', 'b']);
    expect(dueAfter(['a', 'b'], debate({ id: 'a', state: 'CLOSED' }))).toEqual(['b']);
    expect(dueAfter(['a'], debate({ id: 'c' }))).toEqual(['a']);
  });
});
