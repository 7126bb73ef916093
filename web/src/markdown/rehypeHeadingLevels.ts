import type { Element, Root } from 'hast';

const HEADING = /^h([1-6])$/;

/** Renumbers headings so that they follow the page's without a gap, down to a level, and drops empty ones. */
export function rehypeHeadingLevels(levelsAbove: number, lowest: number) {
  return (tree: Root) => adjustLevels(tree, levelsAbove, lowest, []);
}

function adjustLevels(parent: Root | Element, levelsAbove: number, lowest: number, open: number[]): void {
  parent.children = parent.children.filter((child) => child.type !== 'element' || !isEmptyHeading(child));
  for (const child of parent.children) {
    if (child.type !== 'element') continue;
    const level = levelOf(child);
    if (level === null) {
      adjustLevels(child, levelsAbove, lowest, open);
      continue;
    }
    while ((open.at(-1) ?? 0) >= level) open.pop();
    open.push(level);
    child.tagName = `h${Math.min(levelsAbove + open.length, lowest)}`;
  }
}

function levelOf(element: Element): number | null {
  const level = HEADING.exec(element.tagName)?.[1];
  return level === undefined ? null : Number(level);
}

function isEmptyHeading(element: Element): boolean {
  return levelOf(element) !== null && element.children.length === 0;
}
