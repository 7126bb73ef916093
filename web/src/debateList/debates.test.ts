import { describe, expect, it } from 'vitest';
import { asks, debate } from '@/testing/samples';
import { dueAfter, groupDebates, isFiltered, mergeDebates, NO_FILTER } from './debates';

describe('the list', () => {
  it('never replaces a newer state by an older one', () => {
    const newer = debate({ last_seq: 3, state: 'CLOSED' });
    const debates = mergeDebates(mergeDebates(new Map(), [newer]), [debate({ last_seq: 2 })]);
    expect([...debates.values()]).toEqual([newer]);
  });

  const debates = mergeDebates(new Map(), [
    debate({ id: 'a' }),
    debate({ id: 'b' }),
    debate({ id: 'c', ruling_request: asks('APPEAL') }),
    debate({ id: 'd', ruling_request: asks('INTERVENTION') }),
  ]);

  it.each([
    // Those that need a ruling are also shown where they are beyond the pages that were fetched.
    ['all', false, ['c', 'b', 'a'], ['d', 'c'], ['b', 'a']],
    ['what the server has found', true, ['b', 'c', 'a', 'gone'], ['c'], ['b', 'a']],
  ])(
    'has %s in the order of the server, those that need a ruling first',
    (_, filtered, listed, needed, others) => {
      const grouped = groupDebates(debates, ['d', 'c'], listed, filtered);
      expect(grouped.needed.map(({ id }) => id)).toEqual(needed);
      expect(grouped.others.map(({ id }) => id)).toEqual(others);
    },
  );

  it('is filtered by words, state or type', () => {
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
