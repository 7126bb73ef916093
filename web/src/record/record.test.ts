import { expect, it } from 'vitest';
import { duration } from './duration';
import { recordFileName } from './save';

it('names files, and tells times in two units', () => {
  expect(recordFileName('Kế hoạch: “A”', '7c9e6679-7425', 'record.md')).toBe('kế-hoạch-a-7c9e6679-record.md');
  expect([0, 59, 60, 3_725, 90_061].map(duration)).toEqual(['0 s', '59 s', '1 min', '1 h 2 min', '1 d 1 h']);
});
