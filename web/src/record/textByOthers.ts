import type { BlockContent, Nodes, Parents, PhrasingContent, Root, RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { PHRASING_PARENTS } from '@/markdown/remarkHtmlAsText';

/** Characters that are invisible, or that change how their neighbours look. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among them
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`);
}

/** What begins a block, or ends a heading, where the line is all that its block has. */
const STARTS_BLOCK = /^(?:[-+=>]|\d{1,9}(?=[.)](?:\s|$)))|(?<=^|\s)#/g;
/** What has a meaning anywhere in a line. Underscores within words have none. */
const FORMATS = /[\\`*[\]<|~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=[#\da-z])/giu;
/** What many programs make a link of. */
const LINKS = /:(?=\/\/)|(?<=www)\.|(?<=[\p{L}\p{N}])@(?=[\p{L}\p{N}])/giu;

/** The text on one line of markdown, without any formatting. */
export function onOneLine(text: string): string {
  const line = visible(text.replaceAll(/[\t\n\r]/g, ' ')).trim();
  return line
    .replace(FORMATS, '\\$&')
    .replace(LINKS, '\\$&')
    .replace(STARTS_BLOCK, (match) => (/\d/.test(match) ? `${match}\\` : `\\${match}`));
}

/**
 * The text as a quotation in markdown. It keeps its formatting, and can neither break out of the quotation nor look like a
 * part of the document: headings become bold lines, images become links, and HTML becomes text.
 */
export function quoted(text: string): string {
  const parser = unified().use(remarkParse).use(remarkGfm);
  const tree = parser.runSync(parser.parse(visible(text))) as Root;
  const definitions = new Map<string, string>();
  collectDefinitions(tree, definitions);
  replaceIn(tree, definitions);
  const root: Root = {
    type: 'root',
    children: [{ type: 'blockquote', children: tree.children as BlockContent[] }],
  };
  const writer = unified().use(remarkGfm, { tablePipeAlign: false }).use(remarkStringify, {
    bullet: '-',
    emphasis: '*',
    fences: true,
    listItemIndent: 'one',
    rule: '-',
  });
  return writer.stringify(root).trimEnd();
}

function collectDefinitions(parent: Parents, definitions: Map<string, string>): void {
  for (const child of parent.children) {
    if (child.type === 'definition' && !definitions.has(child.identifier)) {
      definitions.set(child.identifier, child.url);
    } else if ('children' in child) collectDefinitions(child, definitions);
  }
}

function replaceIn(parent: Parents, definitions: Map<string, string>): void {
  const phrasing = PHRASING_PARENTS.has(parent.type);
  const replaced = (parent.children as RootContent[]).flatMap((child): RootContent[] => {
    if ('children' in child) replaceIn(child, definitions);
    return replacement(child, phrasing, definitions);
  });
  (parent as { children: Nodes[] }).children = replaced;
}

function replacement(node: RootContent, phrasing: boolean, definitions: Map<string, string>): RootContent[] {
  switch (node.type) {
    case 'heading':
      return [{ type: 'paragraph', children: [{ type: 'strong', children: withoutStrong(node.children) }] }];
    case 'image':
      return [link(node.url, [textNode(node.alt ?? '')])];
    case 'imageReference':
      return [link(definitions.get(node.identifier) ?? '', [textNode(node.alt ?? '')])];
    case 'linkReference':
      return [link(definitions.get(node.identifier) ?? '', node.children)];
    case 'definition':
      return [];
    // Names of footnotes would be those of the whole document.
    case 'footnoteReference':
      return [textNode(`[${node.label ?? node.identifier}]`)];
    case 'footnoteDefinition':
      return node.children;
    case 'text':
      return [textNode(node.value)];
    case 'html':
      return [phrasing ? textNode(node.value) : { type: 'code', lang: 'html', value: node.value }];
    case 'code':
      return [{ ...node, lang: node.lang ?? 'text', meta: null }];
    default:
      return [node];
  }
}

function withoutStrong(children: PhrasingContent[]): PhrasingContent[] {
  return children.flatMap((child) => (child.type === 'strong' ? child.children : [child]));
}

function textNode(value: string): PhrasingContent {
  return { type: 'text', value: value.replaceAll('\t', ' ') };
}

function link(url: string, children: PhrasingContent[]): PhrasingContent {
  return { type: 'link', url, children } as PhrasingContent;
}
