import { expect, test } from 'vitest';
import { olderOf, type UnsentRuling } from './unsentRulings';

/** `A` waits, `A!` was refused. */
const folded = (...rulings: string[]) =>
  olderOf(
    rulings.map((name) => {
      const failure = name.endsWith('!') ? { code: 'ACTION_NOT_ALLOWED', message: '' } : null;
      return { requestId: name, failure } as UnsentRuling;
    }),
  ).map(({ requestId }) => requestId);

test('of many rulings the newest two are shown', () => {
  expect(folded('A', 'B')).toEqual([]);
  expect(folded('A', 'B', 'C')).toEqual(['A']);
  expect(folded('A', 'B', 'C', 'D', 'E')).toEqual(['A', 'B', 'C']);
});

test('those that were refused are shown, and the newest of the others beside them', () => {
  expect(folded('A!', 'B', 'C')).toEqual(['B']);
  expect(folded('A!', 'B!', 'C', 'D')).toEqual(['C']);
  expect(folded('A!', 'B!', 'C!')).toEqual([]);
});
