import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MarkdownTree } from '@/markdown/Markdown';
import { toHast } from '@/markdown/toHast';

/** The HTML of a text, parsed as the worker does it. That of a document, or of an argument. */
export async function renderMarkdown(
  text: string,
  document = false,
  wrap: (markdown: ReactNode) => ReactNode = (markdown) => markdown,
): Promise<string> {
  const request = {
    text,
    scope: 'a1',
    footnotes: 'Footnotes',
    levelsAbove: document ? 2 : null,
    marks: null,
  };
  const tree = await toHast(request);
  const markdown = wrap(<MarkdownTree tree={tree} />);
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>{markdown}</QueryClientProvider>,
  );
}
