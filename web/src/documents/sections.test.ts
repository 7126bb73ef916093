import { describe, expect, it } from 'vitest';
import { sectionsOf } from './sections';

const PARAGRAPH = `${'Words of a plan. '.repeat(20)}\n\n`;

describe('the sections of a long text', () => {
  it('are one for a short text, and all of a long one', () => {
    expect(sectionsOf('# Plan')).toEqual([{ text: '# Plan', under: [] }]);
    const long = `# Plan\n\n${PARAGRAPH.repeat(100)}## Steps\n\n1. one\n`;
    const sections = sectionsOf(long);
    expect(sections.length).toBeGreaterThan(3);
    expect(sections.map(({ text }) => text).join('')).toBe(long);
  });

  it('begin under the headings that they stand under', () => {
    const long = `# A\n\n${PARAGRAPH.repeat(20)}### B\n\n${PARAGRAPH.repeat(20)}### C\n\n${PARAGRAPH.repeat(20)}# D\n`;
    const found = sectionsOf(long).map(({ text, under }) => [text.slice(0, 5).split('\n')[0], under]);
    expect(found.filter(([first]) => String(first).startsWith('#'))).toEqual([
      ['# A', []],
      ['### B', [1]],
      ['### C', [1, 3]],
      ['# D', [1, 3]],
    ]);
  });

  it('never cut a block of code', () => {
    const code = `\`\`\`\`md\n${'# not a heading\n\nWords\n```\n\n'.repeat(500)}\`\`\`\`\n`;
    const sections = sectionsOf(`${PARAGRAPH.repeat(30)}# Code\n\n${code}\n# End\n\nWords\n`);
    expect(sections.filter(({ text }) => text.includes('# not a heading'))).toHaveLength(1);
    expect(sections.at(-1)?.text).toContain('# End');
  });

  it('know what their links refer to', () => {
    const long = `[notes]: https://example.com\n\n${PARAGRAPH.repeat(40)}See [notes].\n`;
    for (const { text } of sectionsOf(long)) expect(text).toContain('[notes]: https://example.com');
  });
});
