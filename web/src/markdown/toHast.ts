import type { Element, Root } from 'hast';
import type { Html, Parents, Yaml } from 'mdast';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkRehype, { type Options } from 'remark-rehype';
import { unified } from 'unified';
import { visible } from '@/lib/hiddenCharacters';
import { frontMatterTable } from './frontMatter';
import { adjustHeadings, linkHeadings } from './headings';
import { codeWithLinks, linkCitations } from './linkCitations';
import { linkIssues } from './linkIssues';
import { type Marks, markWords } from './markWords';
import { elementOf, elementsIn, languageOf, textNode, textOf } from './nodes';
import { parseMarkdown } from './parseMarkdown';
import { addSourceLines } from './sourceLines';

const BLOCKS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'td', 'th', 'blockquote']);

export interface MarkdownRequest {
  text: string;
  /** Prefix for the ids of footnotes, which must differ between arguments. */
  scope: string;
  /** The title of the footnotes, which screen readers read. */
  footnotes: string;
  /**
   * Of a document, whose headings have levels and whose blocks have their lines: the levels of headings that the page has
   * above it. Null for an argument.
   */
  levelsAbove: number | null;
  /** Words to be marked as added or removed. */
  marks: Marks | null;
}

// Raw HTML is never parsed, and the output is sanitized as well. remark-rehype prefixes the ids.
const SANITIZE = { ...defaultSchema, clobberPrefix: '' };
/** Longer blocks are not highlighted, since that takes too long. */
const MAX_HIGHLIGHTED = 8000;

/** Parses markdown into a sanitized tree, with marks for citations and issues, and with its code highlighted. */
export async function toHast(request: MarkdownRequest): Promise<Root> {
  const { text, scope, footnotes, levelsAbove, marks } = request;
  const tree = unified()
    .use(remarkRehype, {
      clobberPrefix: `${scope}-`,
      footnoteLabel: footnotes,
      handlers: { yaml: (_state, node: Yaml) => frontMatterTable(node), html: htmlAsText },
    })
    .use(rehypeSanitize, SANITIZE)
    .runSync(parseMarkdown(text));
  if (levelsAbove !== null) addSourceLines(tree);
  if (marks !== null) markWords(tree, text, marks);
  linkCitations(tree);
  if (levelsAbove === null) {
    // All headings of an argument are h3, below the card's own h2.
    adjustHeadings(tree, 2, 3);
    linkIssues(tree);
  } else {
    adjustHeadings(tree, levelsAbove, 6);
    linkHeadings(tree, scope);
  }
  for (const element of elementsIn(tree)) if (element.tagName === 'pre') await highlightBlock(element);
  showHidden(tree);
  return tree;
}

/** HTML in one of these is a block, else a part of a line. */
const FLOW = new Set<Parents['type']>(['root', 'blockquote', 'listItem', 'footnoteDefinition']);

/**
 * HTML is shown as text. Dropping it would hide from the arbitrator what an agent wrote, such as `Vec<String>` outside of
 * code, or a comment.
 */
const htmlAsText: NonNullable<NonNullable<Options['handlers']>['html']> = (
  state,
  node: Html,
  parent?: Parents,
) => {
  const text = textNode(node.value);
  state.patch(node, text);
  if (parent === undefined || !FLOW.has(parent.type)) return text;
  const block = elementOf('p', [text]);
  state.patch(node, block);
  return block;
};

async function highlightBlock(pre: Element): Promise<void> {
  const code = pre.children.find((child): child is Element => child.type === 'element');
  if (code === undefined) return;
  const text = textOf(code);
  // Highlighting would split a citation into several elements, so a block with citations is not highlighted.
  const linked = codeWithLinks(text);
  const language = languageOf(code);
  if (linked !== null) code.children = linked;
  else if (language !== null && text.length <= MAX_HIGHLIGHTED) {
    // The highlighter is larger than the parser, so it is loaded with the first block of code.
    // If it cannot be loaded, the code is shown without colours.
    const highlighter = await import('./highlight').catch(() => null);
    const tree = highlighter?.highlight(language, text) ?? null;
    if (tree !== null) code.children = tree.children as Element['children'];
  }
}

/** Shows hidden characters, and gives each block the direction of its own text. Runs last: it changes texts. */
function showHidden(parent: Root | Element): void {
  for (const child of parent.children) {
    if (child.type === 'text') child.value = visible(child.value);
    if (child.type !== 'element') continue;
    if (BLOCKS.has(child.tagName)) child.properties = { ...child.properties, dir: 'auto' };
    const { alt } = child.properties;
    if (typeof alt === 'string') child.properties = { ...child.properties, alt: visible(alt) };
    showHidden(child);
  }
}
