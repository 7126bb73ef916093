import { expect, it } from 'vitest';
import { mentionsIn, overlap, placeText } from './lineRanges';

const ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

it('says a place in the words that it reads again', () => {
  const lines = { documentId: ID, version: 3, from: 12, to: 18 };
  expect(placeText(lines)).toBe(`doc_id=${ID} v3, lines 12-18`);
  expect(mentionsIn(placeText(lines))).toEqual([{ documentId: ID, version: 3, lines: { from: 12, to: 18 } }]);
  const line = { ...lines, to: 12 };
  expect(placeText(line)).toBe(`doc_id=${ID} v3, line 12`);
  expect(mentionsIn(placeText(line))[0]?.lines).toEqual({ from: 12, to: 12 });
});

it('reads mentions without lines, and none without a version', () => {
  expect(mentionsIn(`plan 3.1, doc_id=${ID} v2`)).toEqual([{ documentId: ID, version: 2, lines: null }]);
  expect(mentionsIn(`doc_id=${ID} v2. Lines are long.`)[0]?.lines).toBeNull();
  expect(mentionsIn(`doc_id=${ID}`)).toEqual([]);
});

it('tells whether ranges have a line in common', () => {
  expect(overlap({ from: 1, to: 3 }, { from: 3, to: 9 })).toBe(true);
  expect(overlap({ from: 1, to: 3 }, { from: 4, to: 9 })).toBe(false);
});
