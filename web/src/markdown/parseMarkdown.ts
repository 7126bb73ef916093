import type { Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const parser = unified().use(remarkParse).use(remarkGfm);

/** CommonMark with GitHub's tables, task lists, footnotes and links. */
export function parseMarkdown(text: string): Root {
  return parser.parse(text);
}
