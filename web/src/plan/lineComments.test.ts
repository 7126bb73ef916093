import { describe, expect, it } from 'vitest';
import { linesOf } from '@/documents/content';
import { contentOf, keepComment, withComment } from './lineComments';

const ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const place = { documentId: ID, version: 3, from: 12, to: 13 };
const comments = withComment([], { ...place, quote: '## Steps\n\n1. First', text: 'Why first?\n' });

describe('comments on the plan', () => {
  it('become quotations below the text of the ruling', () => {
    expect(contentOf(' Do this. ', comments)).toBe(
      `Do this.\n\n> doc_id=${ID} v3, lines 12-13\n>\n> ## Steps\n>\n> 1. First\n\nWhy first?`,
    );
    expect(contentOf('', comments)).toMatch(/^> doc_id=/);
    expect(contentOf('Do this.', [])).toBe('Do this.');
  });

  it('quote the beginning of a long text', () => {
    const [long] = withComment([], { ...place, quote: 'x\n'.repeat(40), text: 'Too long.' });
    const quoted = contentOf('', long ? [long] : []);
    expect(quoted.split('\n').filter((line) => line === '> x')).toHaveLength(8);
    expect(quoted).toContain('> …\n\nToo long.');
    const [wide] = withComment([], { ...place, quote: '😀'.repeat(700), text: '' });
    expect(contentOf('', wide ? [wide] : [])).toContain(`> ${'😀'.repeat(600)}\n> …`);
  });

  it('are kept while they are written, once, and dropped without a text', () => {
    const one = keepComment(comments, { ...place, quote: 'q', text: 'W' }, null);
    const same = keepComment(one.comments, { ...place, quote: 'q', text: 'Why?' }, one.key);
    expect([one.key, same.key]).toEqual(['c2', 'c2']);
    expect(same.comments.map(({ text }) => text)).toEqual(['Why first?\n', 'Why?']);
    expect(keepComment(same.comments, { ...place, quote: 'q', text: ' ' }, same.key)).toEqual({
      comments,
      key: null,
    });
  });

  it('have keys of their own', () => {
    const two = withComment(comments, { ...place, quote: '', text: '' });
    expect(two.map(({ key }) => key)).toEqual(['c1', 'c2']);
    expect(withComment(two.slice(1), { ...place, quote: '', text: '' }).map(({ key }) => key)).toEqual([
      'c2',
      'c3',
    ]);
  });
});

it('takes lines out of a text', () => {
  expect(linesOf('a\r\nb\r\nc', 2, 3)).toBe('b\nc');
});
