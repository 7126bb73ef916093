import type { Element, Root } from 'hast';

const HEADING = /^h([1-6])$/;
/** The page's own headings are the first two levels. */
const ABOVE = 2;
const LOWEST = 6;

/**
 * Puts a document's headings below the page's, without leaving out a level, whichever ones its author used. Headings
 * without words are dropped. `under` are the levels of those that the text stands under.
 */
export function outline(under: readonly number[]) {
  return (tree: Root) => levelled(tree, [...under]);
}

function levelled(parent: Root | Element, open: number[]): void {
  parent.children = parent.children.filter((child) => child.type !== 'element' || !isEmptyHeading(child));
  for (const child of parent.children) {
    if (child.type !== 'element') continue;
    const level = levelOf(child);
    if (level === null) {
      levelled(child, open);
      continue;
    }
    while ((open.at(-1) ?? 0) >= level) open.pop();
    open.push(level);
    child.tagName = `h${Math.min(ABOVE + open.length, LOWEST)}`;
  }
}

function levelOf(element: Element): number | null {
  const level = HEADING.exec(element.tagName)?.[1];
  return level === undefined ? null : Number(level);
}

function isEmptyHeading(element: Element): boolean {
  return levelOf(element) !== null && element.children.length === 0;
}
