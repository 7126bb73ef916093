import { expect, it } from 'vitest';
import { preview } from './ArgumentText';

it('previews a limited number of lines and characters', () => {
  expect(preview('short\n')).toBe('short\n');
  expect(preview('x\n'.repeat(27))).toHaveLength(53);
  expect(preview('y'.repeat(1601))).toHaveLength(1600);
});
