import { describe, expect, it } from 'vitest';
import { groupLines } from './RawText';

describe('the lines of a text', () => {
  it.each(['', 'a', 'a\n', 'a\n\nb', '\n\n', 'x'.repeat(25_000), 'one\n'.repeat(1000)])(
    'are complete',
    (text) => {
      const lines = groupLines(text).flat();
      const whole = lines
        .map((line, index) => (line.number === null || index === 0 ? '' : '\n') + line.text)
        .join('');
      expect(whole).toBe(text.replace(/\n$/, ''));
    },
  );

  it('are never cut inside a character', () => {
    const lines = groupLines(`x${'😀'.repeat(6_000)}`).flat();
    expect(lines.every(({ text }) => text.isWellFormed())).toBe(true);
  });

  it('are numbered, and a long line has one number', () => {
    const lines = groupLines(`a\n${'x'.repeat(25_000)}\nb`).flat();
    expect(lines.map(({ number }) => number)).toEqual([1, 2, null, null, 3]);
    expect(groupLines('\n'.repeat(450)).map((group) => group.length)).toEqual([200, 200, 50]);
  });
});
