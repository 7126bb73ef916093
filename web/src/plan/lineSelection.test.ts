import { expect, it } from 'vitest';
import { parseLines, selectionOf } from './useLineSelection';

it('selects the lines from the first to the last', () => {
  const units = [
    { from: 7, to: 9, old: false },
    { from: 3, to: 4, old: false },
  ];
  expect(selectionOf(units)).toEqual({ from: 3, to: 9, old: false });
  expect(selectionOf([])).toBeNull();
});

it('prefers lines of the new version to removed ones', () => {
  const removed = { from: 40, to: 41, old: true };
  expect(selectionOf([removed, { from: 3, to: 4, old: false }])).toEqual({ from: 3, to: 4, old: false });
  expect(selectionOf([removed])).toEqual(removed);
});

it('reads lines from an element', () => {
  expect(parseLines('12-18')).toEqual({ from: 12, to: 18 });
  expect(parseLines('12')).toBeNull();
  expect(parseLines(undefined)).toBeNull();
});
