import { describe, expect, it } from 'vitest';
import { asks, debate } from '@/testing/samples';
import { dueAfter, groupDebates, isFiltered, mergeDebates, NO_FILTER } from './debates';

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
    const { needed, others } = groupDebates(debates, ['c', 'd'], null);
    expect(needed.map(({ id }) => id)).toEqual(['c', 'd']);
    expect(others.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it('shows of a filtered list what the server has found, in its order', () => {
    const debates = mergeDebates(new Map(), [
      debate({ id: 'a', updated_at: '2030-01-01T00:00:01Z' }),
      debate({ id: 'b', updated_at: '2030-01-01T00:00:02Z' }),
      debate({ id: 'c', ruling_request: asks('APPEAL') }),
      debate({ id: 'd', ruling_request: asks('APPEAL') }),
    ]);
    const { needed, others } = groupDebates(debates, ['d', 'c'], ['a', 'c', 'b', 'gone']);
    expect(needed.map(({ id }) => id)).toEqual(['c']);
    expect(others.map(({ id }) => id)).toEqual(['a', 'b']);
    expect([NO_FILTER, { ...NO_FILTER, q: ' ' }].map(isFiltered)).toEqual([false, false]);
    expect(isFiltered({ ...NO_FILTER, state: 'CLOSED' })).toBe(true);
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
