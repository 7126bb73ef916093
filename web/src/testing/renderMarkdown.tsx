import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MarkdownTree } from '@/markdown/Markdown';
import { toHast } from '@/markdown/toHast';

/** The HTML of a text, parsed as the worker does it. Without `headingsAbove` it is that of an argument. */
export async function renderMarkdown(
  text: string,
  headingsAbove: readonly number[] | null = null,
  wrap: (markdown: ReactNode) => ReactNode = (markdown) => markdown,
): Promise<string> {
  const request = { text, scope: 'a1', footnotes: 'Footnotes', headingsAbove, firstLine: null, marks: null };
  const tree = await toHast(request);
  return renderToStaticMarkup(wrap(<MarkdownTree tree={tree} isDocument={headingsAbove !== null} />));
}
