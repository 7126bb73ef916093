import { expect, test } from 'vitest';
import { olderOf, type UnsentRuling } from './unsentRulings';

/** `A` waits, `A>` is being sent, `A!` was refused. */
const folded = (...rulings: string[]) =>
  olderOf(
    rulings.map((name) => {
      const failure = name.endsWith('!') ? { code: 'ACTION_NOT_ALLOWED', message: '' } : null;
      const sending = name.endsWith('>') || failure !== null;
      return { requestId: name, sending, failure } as UnsentRuling;
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

test('one that is being sent is shown, and no other leaves for it', () => {
  expect(folded('A>', 'B', 'C')).toEqual([]);
  expect(folded('A>', 'B', 'C', 'D', 'E')).toEqual(['B', 'C']);
  expect(folded('A', 'B', 'C', 'D>')).toEqual(['A']);
  expect(folded('A!', 'B>', 'C', 'D')).toEqual(['C']);
});
