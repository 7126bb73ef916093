import { expect, it } from 'vitest';
import { indexAfterKey } from './IssueList';

it('moves to the next, previous, first and last item, and stays within the list', () => {
  const after = (key: string) => [0, 1, 2].map((index) => indexAfterKey(key, index, 3));
  expect(after('j')).toEqual([1, 2, 2]);
  expect(after('ArrowDown')).toEqual([1, 2, 2]);
  expect(after('k')).toEqual([0, 0, 1]);
  expect(after('ArrowUp')).toEqual([0, 0, 1]);
  expect(after('Home')).toEqual([0, 0, 0]);
  expect(after('End')).toEqual([2, 2, 2]);
  expect(after('x')).toEqual([null, null, null]);
});
