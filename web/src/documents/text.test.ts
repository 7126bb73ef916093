import { describe, expect, it } from 'vitest';
import { fileName, groupsOfLines, isData, renderable } from './text';

it('tells data from prose', () => {
  expect(isData(' {"a": [1]}\n')).toBe(true);
  expect(isData('[1, 2]')).toBe(true);
  expect(isData('[notes](https://example.com)')).toBe(false);
  expect(isData('# Plan')).toBe(false);
  expect(isData('')).toBe(false);
});

it('renders the beginning of a long text, to the end of a line', () => {
  expect(renderable('short')).toEqual({ text: 'short', cut: false });
  const { text, cut } = renderable('A paragraph.\n\n'.repeat(100_000));
  expect(cut).toBe(true);
  expect(text.length).toBeLessThanOrEqual(200_000);
  expect(text.endsWith('A paragraph.')).toBe(true);
  expect(renderable('x'.repeat(1_000_000)).text).toHaveLength(200_000);
});

describe('the lines of a text', () => {
  it.each(['', 'a', 'a\n', 'a\n\nb', '\n\n', 'x'.repeat(25_000), 'one\n'.repeat(1000)])(
    'are all there',
    (text) => {
      const lines = groupsOfLines(text).flat();
      const whole = lines
        .map((line, at) => (line.number === null || at === 0 ? '' : '\n') + line.text)
        .join('');
      expect(whole).toBe(text.replace(/\n$/, ''));
    },
  );

  it('are cut between characters only', () => {
    const lines = groupsOfLines(`x${'😀'.repeat(6_000)}`).flat();
    expect(lines.every(({ text }) => text.isWellFormed())).toBe(true);
  });

  it('are numbered, and a long one is one', () => {
    const lines = groupsOfLines(`a\n${'x'.repeat(25_000)}\nb`).flat();
    expect(lines.map(({ number }) => number)).toEqual([1, 2, null, null, 3]);
    expect(groupsOfLines('\n'.repeat(450)).map((group) => group.length)).toEqual([200, 200, 50]);
  });
});

it('names a file after what it holds', () => {
  const version = {
    document_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    version: 2,
    summary: 'Plan: “no cache”/../',
    content: '# Plan',
    metadata: {},
    created_at: '2030-01-01T00:00:00Z',
  };
  expect(fileName(version)).toBe('plan-no-cache-7c9e6679-v2.md');
  expect(fileName({ ...version, summary: '', content: '{}' })).toBe('7c9e6679-v2.json');
  expect(fileName({ ...version, summary: 'Kế hoạch' })).toBe('kế-hoạch-7c9e6679-v2.md');
});
