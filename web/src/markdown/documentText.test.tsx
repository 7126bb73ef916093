import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PART, partsOf } from './DocumentText';
import { MarkdownTree } from './Markdown';
import { toHast } from './toHast';

/** Three that cannot be split by lines, and the project's own. */
const FOLDERS = ['src/testing/documents', '../docs', '../cli'];
/** Of those of the installed packages one in so many: `EVERY_DOCUMENT=1 npm test` takes all. */
const ONE_IN = Number(process.env.EVERY_DOCUMENT ?? 5);
const WEB = join(import.meta.dirname, '../..');
const MAX_LENGTH = 200_000;

function documentsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.md$/i.test(name))
    .map((name) => join(folder, name));
}

const client = new QueryClient();
const html = (tree: ReactNode) =>
  renderToStaticMarkup(<QueryClientProvider client={client}>{tree}</QueryClientProvider>);

it('renders the same in parts as whole', async () => {
  const installed = documentsIn(join(WEB, 'node_modules'));
  expect(installed.length).toBeGreaterThan(1_000);
  const files = [
    ...FOLDERS.flatMap((folder) => documentsIn(join(WEB, folder))),
    ...installed.filter((_, index) => index % ONE_IN === 0),
  ];
  let split = 0;
  for (const file of files) {
    const text = readFileSync(file, 'utf8').slice(0, MAX_LENGTH);
    if (text.length <= PART) continue;
    const tree = await toHast({ text, scope: 'd', footnotes: 'Footnotes', levelsAbove: 2, marks: null });
    const whole = html(<MarkdownTree tree={tree} />);
    const parts = partsOf(tree);
    if (parts.length > 1) split += 1;
    const joined = parts.map((part) => html(<MarkdownTree tree={part} />)).join('');
    expect(joined === whole, file).toBe(true);
  }
  expect(split).toBeGreaterThan(100 / ONE_IN);
}, 300_000);
