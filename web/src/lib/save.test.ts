import { expect, it } from 'vitest';
import { fileNameOf } from './save';

it('names files', () => {
  expect(fileNameOf('Kế hoạch: “A”', '7c9e6679-7425', 'record.md')).toBe('kế-hoạch-a-7c9e6679-record.md');
});
