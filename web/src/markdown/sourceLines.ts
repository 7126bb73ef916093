import type { Element, ElementContent, Root } from 'hast';
import { elementOf } from './nodes';

const BLOCKS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'tr', 'hr']);
const LISTS = new Set(['ul', 'ol']);

/** Puts the lines of the source on blocks, as `data-lines="12-18"`, so that lines can be selected in rendered text, and the first as `data-line`. */
export function addSourceLines(parent: Root | Element): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue;
    if (BLOCKS.has(child.tagName)) mark(child, child, child);
    else if (child.tagName === 'li') markItem(child);
    else addSourceLines(child);
  }
}

/** The text of an item, without the list in it and without paragraphs, which are blocks of their own. */
function markItem(item: Element): void {
  const inline = item.children.filter((child) => !isBlock(child));
  // The checkbox of a task has no place in the source.
  const own = inline.filter(
    (child) => child.position !== undefined && (child.type !== 'text' || child.value.trim() !== ''),
  );
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) {
    addSourceLines(item);
    return;
  }
  const text = elementOf('span', inline);
  mark(text, first, last);
  item.children = [text, ...item.children.filter(isBlock)];
  for (const child of item.children.slice(1)) {
    if (child.type === 'element') addSourceLines({ type: 'root', children: [child] });
  }
}

function isBlock(child: ElementContent): boolean {
  return (
    child.type === 'element' &&
    (BLOCKS.has(child.tagName) || LISTS.has(child.tagName) || ['blockquote', 'table'].includes(child.tagName))
  );
}

function mark(element: Element, first: ElementContent, last: ElementContent): void {
  const from = first.position?.start.line;
  const to = last.position?.end.line;
  if (from === undefined || to === undefined) return;
  element.properties = { ...element.properties, dataLines: `${from}-${to}`, dataLine: from };
}
