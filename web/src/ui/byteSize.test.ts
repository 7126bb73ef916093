import { expect, it } from 'vitest';
import { sizeLabel } from './byteSize';

it('counts UTF-8 bytes', () => {
  expect(sizeLabel('đ')).toBe('2 B');
  expect(sizeLabel('đ'.repeat(1024))).toBe('2.0 KiB');
});
