import { expect, it } from 'vitest';
import { isUnaimed } from './useAimedClicks';

const undo = {} as Element;
const sendNow = {} as Element;

it('takes a click for aimed where the pointer has moved, or where the same was there before', () => {
  const before = { x: 300, y: 600, control: undo };
  expect(isUnaimed(before, { x: 300, y: 600, control: sendNow })).toBe(true);
  // A hand is never quite still.
  expect(isUnaimed(before, { x: 304, y: 605, control: sendNow })).toBe(true);
  expect(isUnaimed({ ...before, control: null }, { x: 300, y: 600, control: sendNow })).toBe(true);
  expect(isUnaimed(before, { x: 300, y: 600, control: undo })).toBe(false);
  expect(isUnaimed(before, { x: 340, y: 600, control: sendNow })).toBe(false);
});
