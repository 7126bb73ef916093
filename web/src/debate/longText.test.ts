import { expect, it } from 'vitest';
import { isLong, preview } from './ArgumentText';

it('is long by characters or by lines', () => {
  expect(isLong('short')).toBe(false);
  expect(isLong('x'.repeat(1601))).toBe(true);
  expect(isLong('x\n'.repeat(27))).toBe(true);
});

it('previews a limited number of lines and characters', () => {
  expect(preview('x\n'.repeat(2000)).split('\n').length).toBeLessThanOrEqual(48);
  expect(preview('y'.repeat(9000))).toHaveLength(2400);
});
