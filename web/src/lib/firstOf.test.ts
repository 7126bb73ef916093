import { expect, it } from 'vitest';
import { firstOf } from './firstOf';

it('leaves out none or several', () => {
  const lengths = [0, 2, 3, 4, 9].map((length) => firstOf(Array.from({ length }), 2).length);
  expect(lengths).toEqual([0, 2, 3, 2, 2]);
});
