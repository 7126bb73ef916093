import { expect, it } from 'vitest';
import { blocksOf } from '@/documents/changes/blocks';
import { textOf } from './nodes';
import { toHast } from './toHast';

const TEXT = '---\ntitle: A plan\ntags:\n  - one\n  - two\n---\n\n# Heading\n\nText.\n';
const request = { scope: 'd', footnotes: 'Footnotes', levelsAbove: 2, marks: null };

it('shows front matter as a table whose rows have their lines, and leaves the lines of the rest', async () => {
  const [table, , heading] = (await toHast({ ...request, text: TEXT })).children;
  expect(table).toMatchObject({ tagName: 'table', children: [{ tagName: 'tbody' }] });
  const body = table?.type === 'element' ? table.children[0] : undefined;
  const rows =
    body?.type === 'element' ? body.children.flatMap((row) => (row.type === 'element' ? row : [])) : [];
  expect(rows.map((row) => [textOf(row), row.properties.dataLines])).toEqual([
    ['titleA plan', '2-2'],
    ['tags- one\n  - two', '3-5'],
  ]);
  expect(heading).toMatchObject({ tagName: 'h3', properties: { dataLines: '8-8' } });
});

it('takes a rule at the beginning for a rule', async () => {
  for (const text of ['---\n\nText.\n\n---\n', '---\nText: one\n', '# A\n\n---\na: b\n---\n']) {
    const { children } = await toHast({ ...request, text });
    expect(children.some((child) => child.type === 'element' && child.tagName === 'table')).toBe(false);
  }
});

it('is one block that is compared by its lines', () => {
  expect(blocksOf(TEXT)[0]).toMatchObject({ type: 'yaml', from: 1, to: 6, text: TEXT.split('\n\n')[0] });
});
