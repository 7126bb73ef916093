import { expect, it } from 'vitest';
import { versionAt } from './usePlan';

it('finds the version that there was at the last ruling', () => {
  const versions = [
    { version: 3, created_at: '2030-01-03T00:00:00.5Z' },
    { version: 2, created_at: '2030-01-02T00:00:00Z' },
  ];
  expect(versionAt(versions, '2030-01-03T00:00:00Z')).toBe(2);
  expect(versionAt(versions, '2030-01-03T00:00:00.5Z')).toBe(3);
  expect(versionAt(versions, '2030-01-01T00:00:00Z')).toBeNull();
});
