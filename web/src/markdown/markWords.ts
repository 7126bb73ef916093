import type { Element, ElementContent, Root, Text } from 'hast';
import { elementOf, splitText } from './nodes';

/** Parts of the source, by the first character and the one after the last. */
export interface Marks {
  tag: 'ins' | 'del';
  spans: readonly (readonly [start: number, end: number])[];
}

/** Marks the words of rendered text that come from some parts of its source. */
export function markWords(parent: Root | Element, marks: Marks): void {
  parent.children = (parent.children as ElementContent[]).flatMap((child) => {
    if (child.type === 'text') return markText(child, marks);
    if (child.type === 'element' && child.tagName !== 'pre') markWords(child, marks);
    return child;
  });
}

function markText(node: Text, { tag, spans }: Marks): ElementContent[] {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  if (start === undefined || end === undefined) return [node];
  const ranges = spans
    .filter(([from, to]) => from < end && start < to)
    .map(([from, to]) => ({ start: Math.max(from - start, 0), end: Math.min(to, end) - start }));
  const marked = (children: ElementContent[]): Element => elementOf(tag, children);
  // With an escape or an entity in it, places in the source are not places in the text.
  if (end - start !== node.value.length) return ranges.length > 0 ? [marked([node])] : [node];
  return splitText(node.value, ranges, (_, children) => marked(children));
}
