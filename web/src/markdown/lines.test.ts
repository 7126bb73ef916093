import type { Element, Root } from 'hast';
import { describe, expect, it } from 'vitest';
import type { Marks } from './rehypeMarks';
import { toHast } from './toHast';

function tree(text: string, firstLine: number | null, marks: Marks | null = null): Promise<Root> {
  return toHast({ text, scope: 'x', footnotes: 'Footnotes', headingsAbove: [], firstLine, marks });
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
    '# Plan\n\nTwo\nlines.\n\n- one\n  - inner\n- two\n\n  more\n\n| a |\n|---|\n| b |\n\n```\ncode\n```\n';

  it('are on each block, counted from the first line of the whole document', async () => {
    const lines = elements(await tree(text, 11))
      .filter(({ properties }) => typeof properties.dataLines === 'string')
      .map((element) => [element.properties.dataLines, textOf(element).trim()]);
    expect(lines).toEqual([
      ['11-11', 'Plan'],
      ['13-14', 'Two\nlines.'],
      ['16-16', 'one'],
      ['17-17', 'inner'],
      ['18-18', 'two'],
      ['20-20', 'more'],
      ['22-22', 'a'],
      ['24-24', 'b'],
      ['26-28', 'code'],
    ]);
  });

  it('are not there where nothing is selected', async () => {
    expect(elements(await tree(text, null)).some(({ properties }) => properties.dataLines)).toBe(false);
  });
});

it('marks words where they are in the source', async () => {
  const marked = await tree('Wait for **30 seconds** &amp; go.', null, { tag: 'ins', spans: [[11, 13]] });
  const [found, ...others] = elements(marked).filter(({ tagName }) => tagName === 'ins');
  expect(found && textOf(found)).toBe('30');
  expect(others).toEqual([]);
  expect(textOf(marked)).toBe('Wait for 30 seconds & go.');
});
