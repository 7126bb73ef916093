import type { Element, Root } from 'hast';
import { visible } from '@/lib/visible';
import { elementsIn, textOf } from './nodes';

const BLOCKS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'td', 'th', 'blockquote']);

/** Shows hidden characters, and gives each block the direction of its own text. Runs last: it changes texts. */
export function showHidden(parent: Root | Element): void {
  for (const child of parent.children) {
    if (child.type === 'text') child.value = visible(child.value);
    if (child.type !== 'element') continue;
    if (BLOCKS.has(child.tagName)) child.properties = { ...child.properties, dir: 'auto' };
    const { alt } = child.properties;
    if (typeof alt === 'string') child.properties = { ...child.properties, alt: visible(alt) };
    showHidden(child);
  }
}

/** Heading ids and the links to them, as lists of contents have them: both with the text's own prefix. */
export function linkHeadings(tree: Root, scope: string): void {
  const ids = new Set<string>();
  const links: Element[] = [];
  for (const element of elementsIn(tree)) {
    if (element.tagName === 'a') links.push(element);
    if (!/^h[1-6]$/.test(element.tagName) || element.properties.id !== undefined) continue;
    const slug = slugOf(textOf(element));
    let id = `${scope}-${slug}`;
    for (let count = 1; ids.has(id); count += 1) id = `${scope}-${slug}-${count}`;
    ids.add(id);
    element.properties = { ...element.properties, id };
  }
  for (const link of links) {
    const target = /^#(.+)$/.exec(String(link.properties.href ?? ''))?.[1];
    const id = target === undefined ? undefined : `${scope}-${safelyDecoded(target).toLowerCase()}`;
    if (id !== undefined && ids.has(id)) link.properties.href = `#${id}`;
  }
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** As GitHub makes it. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
