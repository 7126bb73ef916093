import { describe, expect, it } from 'vitest';
import { splitMarkdown } from './splitMarkdown';

const PARAGRAPH = `${'Words of a plan. '.repeat(20)}\n\n`;

describe('the sections of a long text', () => {
  it('are one for a short text, and together the whole of a long one', () => {
    expect(splitMarkdown('# Plan')).toEqual([{ text: '# Plan', headingsAbove: [], firstLine: 1 }]);
    const long = `# Plan\n\n${PARAGRAPH.repeat(100)}## Steps\n\n1. one\n`;
    const sections = splitMarkdown(long);
    expect(sections.length).toBeGreaterThan(3);
    expect(sections.map(({ text }) => text).join('')).toBe(long);
    for (const { text, firstLine } of sections)
      expect(
        long
          .split('\n')
          .slice(firstLine - 1)
          .join('\n')
          .startsWith(text),
      ).toBe(true);
  });

  it('know the headings above them', () => {
    const long = `# A\n\n${PARAGRAPH.repeat(20)}### B\n\n${PARAGRAPH.repeat(20)}### C\n\n${PARAGRAPH.repeat(20)}# D\n`;
    const found = splitMarkdown(long).map(({ text, headingsAbove }) => [
      text.slice(0, 5).split('\n')[0],
      headingsAbove,
    ]);
    expect(found.filter(([first]) => String(first).startsWith('#'))).toEqual([
      ['# A', []],
      ['### B', [1]],
      ['### C', [1, 3]],
      ['# D', [1, 3]],
    ]);
  });

  it('never split a block of code', () => {
    const code = `\`\`\`\`md\n${'# not a heading\n\nWords\n```\n\n'.repeat(500)}\`\`\`\`\n`;
    const sections = splitMarkdown(`${PARAGRAPH.repeat(30)}# Code\n\n${code}\n# End\n\nWords\n`);
    expect(sections.filter(({ text }) => text.includes('# not a heading'))).toHaveLength(1);
    expect(sections.at(-1)?.text).toContain('# End');
  });

  it('have all link definitions', () => {
    const long = `[notes]: https://example.com\n\n${PARAGRAPH.repeat(40)}See [notes].\n`;
    for (const { text } of splitMarkdown(long)) expect(text).toContain('[notes]: https://example.com');
  });
});
