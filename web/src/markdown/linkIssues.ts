import type { Element, ElementContent, Root, RootContent } from 'hast';
import { type IssueReference, issueReferencesIn } from './issueReferences';
import { elementOf, splitText } from './nodes';

/** Links cannot be nested, and what looks like an issue in code is code. */
const SKIPPED = new Set(['a', 'code', 'pre']);

/** Marks mentions of issues, such as `I3`. It runs after the sanitizer: what it adds contains only a matched id. */
export function linkIssues(parent: Root | Element): void {
  const children = parent.children as ElementContent[];
  parent.children = children.flatMap((child) => {
    if (child.type === 'text') return splitText(child.value, issueReferencesIn(child.value), link);
    if (child.type === 'element' && !SKIPPED.has(child.tagName)) linkIssues(child);
    return child;
  }) as RootContent[];
}

function link({ id }: IssueReference, children: ElementContent[]): Element {
  return elementOf('a', children, { dataIssue: id });
}
