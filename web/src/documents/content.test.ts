import { expect, it } from 'vitest';
import { fileName, isJson, truncateForRendering } from './content';

it('tells JSON from markdown', () => {
  expect(isJson(' {"a": [1]}\n')).toBe(true);
  expect(isJson('[1, 2]')).toBe(true);
  expect(isJson('[notes](https://example.com)')).toBe(false);
  expect(isJson('# Plan')).toBe(false);
  expect(isJson('')).toBe(false);
});

it('cuts a long text at the end of a line', () => {
  expect(truncateForRendering('short')).toEqual({ text: 'short', cut: false });
  const { text, cut } = truncateForRendering('A paragraph.\n\n'.repeat(100_000));
  expect(cut).toBe(true);
  expect(text.length).toBeLessThanOrEqual(200_000);
  expect(text.endsWith('A paragraph.')).toBe(true);
  expect(truncateForRendering('x'.repeat(1_000_000)).text).toHaveLength(200_000);
});

it('builds a file name from summary, id and version', () => {
  const version = {
    document_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    version: 2,
    summary: 'Plan: “no cache”/../',
    content: '# Plan',
    sha256: '',
    metadata_sha256: null,
    metadata: {},
    created_at: '2030-01-01T00:00:00Z',
  };
  expect(fileName(version)).toBe('plan-no-cache-7c9e6679-v2.md');
  expect(fileName({ ...version, summary: '', content: '{}' })).toBe('7c9e6679-v2.json');
  expect(fileName({ ...version, summary: 'Kế hoạch' })).toBe('kế-hoạch-7c9e6679-v2.md');
});
