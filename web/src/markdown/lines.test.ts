import type { Element, Root } from 'hast';
import { describe, expect, it } from 'vitest';
import type { Marks } from './markWords';
import { toHast } from './toHast';

function tree(text: string, document: boolean, marks: Marks | null = null): Promise<Root> {
  return toHast({ text, scope: 'x', footnotes: 'Footnotes', levelsAbove: document ? 2 : null, marks });
}

function elements(parent: Root | Element): Element[] {
  return parent.children.flatMap((child) => (child.type === 'element' ? [child, ...elements(child)] : []));
}

function textOf(node: Root | Element): string {
  return node.children
    .map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? textOf(child) : ''))
    .join('');
}

describe('lines of rendered text', () => {
  const text =
    '# Plan\n\nTwo\nlines.\n\n- one\n  - inner\n- two\n\n  more\n\n| a |\n|---|\n| b |\n\n```\ncode\n```\n\n<!-- seen -->\n';

  it('are on each block of a document, HTML included', async () => {
    const lines = elements(await tree(text, true))
      .filter(({ properties }) => typeof properties.dataLines === 'string')
      .map((element) => [element.properties.dataLines, textOf(element).trim()]);
    expect(lines).toEqual([
      ['1-1', 'Plan'],
      ['3-4', 'Two\nlines.'],
      ['6-6', 'one'],
      ['7-7', 'inner'],
      ['8-8', 'two'],
      ['10-10', 'more'],
      ['12-12', 'a'],
      ['14-14', 'b'],
      ['16-18', 'code'],
      ['20-20', '<!-- seen -->'],
    ]);
  });

  it('are not in an argument', async () => {
    expect(elements(await tree(text, false)).some(({ properties }) => properties.dataLines)).toBe(false);
  });
});

it('marks words also of a line that goes on, indented, and of one with an escape', async () => {
  const marksIn = async (source: string, words: string) => {
    const start = source.indexOf(words);
    const marked = await tree(source, true, { tag: 'ins', spans: [[start, start + words.length]] });
    return elements(marked).flatMap((element) => (element.tagName === 'ins' ? textOf(element) : []));
  };
  const step = '3. Writes go to both,\n   so that no old one\n   replaces a newer one.';
  expect(await marksIn(step, 'no old one')).toEqual(['no old one']);
  expect(await marksIn(step, 'old one\n   replaces')).toEqual(['old one\nreplaces']);
  expect(await marksIn('At most 5 \\* 3 rows of 9.', '9')).toEqual(['9']);
  expect(await marksIn('Five &lt; 6 &amp; 7, at most.', '7')).toEqual(['Five < 6 & 7, at most.']);
});

it('marks words where they are in the source', async () => {
  const marked = await tree('Wait for **30 seconds** &amp; go.', true, { tag: 'ins', spans: [[11, 13]] });
  const [found, ...others] = elements(marked).filter(({ tagName }) => tagName === 'ins');
  expect(found && textOf(found)).toBe('30');
  expect(others).toEqual([]);
  expect(textOf(marked)).toBe('Wait for 30 seconds & go.');
});
