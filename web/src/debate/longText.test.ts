import { expect, it } from 'vitest';
import { preview, unshown } from './ArgumentText';

it('previews a limited number of lines and characters', () => {
  expect(preview('short\n')).toBe('short\n');
  expect(preview('x\n'.repeat(27))).toHaveLength(53);
  expect(preview('y'.repeat(1601))).toHaveLength(1600);
  // A word that is cut is shown; what has no words may be left all the same, such as the end of a block of code.
  expect([unshown('short'), unshown(`${'word '.repeat(318)} what`), unshown('wor d'.repeat(400))]).toEqual([
    null,
    null,
    80,
  ]);
  expect(unshown(`${'x\n'.repeat(27)}}`)).toBe(0);
});
