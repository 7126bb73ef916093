import type { Element, ElementContent, Root, Text } from 'hast';

/** Parts of the source, by the first character and the one after the last. */
export interface Marks {
  tag: 'ins' | 'del';
  spans: readonly (readonly [start: number, end: number])[];
}

/** Marks the words of rendered text that come from some parts of its source. */
export function rehypeMarks(marks: Marks) {
  return (tree: Root) => markChildren(tree, marks);
}

function markChildren(parent: Root | Element, marks: Marks): void {
  parent.children = (parent.children as ElementContent[]).flatMap((child) => {
    if (child.type === 'text') return markText(child, marks);
    if (child.type === 'element' && child.tagName !== 'pre') markChildren(child, marks);
    return child;
  });
}

function markText(node: Text, { tag, spans }: Marks): ElementContent[] {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  if (start === undefined || end === undefined) return [node];
  // With an escape or an entity in it, places in the source are not places in the text.
  if (end - start !== node.value.length) {
    return spans.some((span) => span[0] < end && start < span[1]) ? [marked(tag, node.value)] : [node];
  }
  const parts: ElementContent[] = [];
  let shown = start;
  for (const [from, to] of spans) {
    const [first, last] = [Math.max(from, shown), Math.min(to, end)];
    if (first >= last) continue;
    if (first > shown) parts.push(text(node.value.slice(shown - start, first - start)));
    parts.push(marked(tag, node.value.slice(first - start, last - start)));
    shown = last;
  }
  if (shown < end) parts.push(text(node.value.slice(shown - start)));
  return parts;
}

function text(value: string): Text {
  return { type: 'text', value };
}

function marked(tag: Marks['tag'], value: string): Element {
  return { type: 'element', tagName: tag, properties: {}, children: [text(value)] };
}
