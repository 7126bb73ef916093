import type { Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { withFrontMatter } from './frontMatter';

const parser = unified().use(remarkParse).use(remarkGfm);

/** CommonMark with GitHub's tables, task lists, footnotes and links, and with front matter. */
export function parseMarkdown(text: string): Root {
  return withFrontMatter(text, (rest) => parser.parse(rest));
}
