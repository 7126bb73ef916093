import type { Element, Root } from 'hast';
import { visible } from '@/lib/hiddenCharacters';

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
