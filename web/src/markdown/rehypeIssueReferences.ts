import type { Element, ElementContent, Root, RootContent } from 'hast';
import { issueReferencesIn } from './issueReferences';

/** Links cannot be nested, and what looks like an issue in code is code. */
const SKIPPED = new Set(['a', 'code', 'pre']);

/** Marks mentions of issues, such as `I3`. It runs after the sanitizer: what it adds contains only a matched id. */
export function rehypeIssueReferences() {
  return (tree: Root) => markReferences(tree);
}

function markReferences(parent: Root | Element): void {
  const children = parent.children as ElementContent[];
  parent.children = children.flatMap((child) => {
    if (child.type === 'text') return textWithReferences(child.value);
    if (child.type === 'element' && !SKIPPED.has(child.tagName)) markReferences(child);
    return child;
  }) as RootContent[];
}

function textWithReferences(value: string): ElementContent[] {
  const parts: ElementContent[] = [];
  let end = 0;
  for (const reference of issueReferencesIn(value)) {
    if (reference.start > end) parts.push({ type: 'text', value: value.slice(end, reference.start) });
    parts.push({
      type: 'element',
      tagName: 'a',
      properties: { dataIssue: reference.id },
      children: [{ type: 'text', value: reference.id }],
    });
    end = reference.end;
  }
  if (end < value.length || parts.length === 0) parts.push({ type: 'text', value: value.slice(end) });
  return parts;
}
