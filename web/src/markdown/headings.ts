import type { Element, Root } from 'hast';
import { decoded } from '@/lib/decoded';
import { elementsIn, textOf } from './nodes';

const HEADING = /^h([1-6])$/;

/** Renumbers headings so that they follow the page's without a gap, down to a level, and drops empty ones. */
export function adjustHeadings(tree: Root, levelsAbove: number, lowest: number): void {
  for (const parent of [tree, ...elementsIn(tree)]) {
    parent.children = parent.children.filter((child) => child.type !== 'element' || !isEmptyHeading(child));
  }
  const open: number[] = [];
  for (const element of elementsIn(tree)) {
    const level = Number(HEADING.exec(element.tagName)?.[1]);
    if (Number.isNaN(level)) continue;
    while ((open.at(-1) ?? 0) >= level) open.pop();
    open.push(level);
    element.tagName = `h${Math.min(levelsAbove + open.length, lowest)}`;
  }
}

function isEmptyHeading({ tagName, children }: Element): boolean {
  return HEADING.test(tagName) && children.length === 0;
}

/** Heading ids and the links to them, as lists of contents have them: both with the text's own prefix. */
export function linkHeadings(tree: Root, scope: string): void {
  const ids = new Set<string>();
  const links: Element[] = [];
  for (const element of elementsIn(tree)) {
    if (element.tagName === 'a') links.push(element);
    if (!HEADING.test(element.tagName) || element.properties.id !== undefined) continue;
    const slug = slugOf(textOf(element));
    let id = `${scope}-${slug}`;
    for (let count = 1; ids.has(id); count += 1) id = `${scope}-${slug}-${count}`;
    ids.add(id);
    element.properties = { ...element.properties, id };
  }
  for (const link of links) {
    const target = /^#(.+)$/.exec(String(link.properties.href ?? ''))?.[1];
    const id = target === undefined ? undefined : `${scope}-${decoded(target).toLowerCase()}`;
    if (id !== undefined && ids.has(id)) link.properties.href = `#${id}`;
  }
}

/** As GitHub makes it. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
