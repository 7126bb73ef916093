import type { Nodes, Parents, Root } from 'mdast';

/** The types of nodes whose children are text within a line. */
const PHRASING_PARENTS = new Set([
  'paragraph',
  'heading',
  'emphasis',
  'strong',
  'delete',
  'link',
  'linkReference',
  'tableCell',
]);

/**
 * Turns HTML into text. Dropping it would hide from the arbitrator what an agent wrote, such as `Vec<String>` outside of
 * code, or a comment.
 */
export function remarkHtmlAsText() {
  return (tree: Root) => replaceIn(tree);
}

function replaceIn(parent: Parents): void {
  for (const [index, child] of parent.children.entries()) {
    if (child.type === 'html') {
      const text = { ...child, type: 'text' } as const;
      const phrasing = PHRASING_PARENTS.has(parent.type);
      const { position } = child;
      const replacement: Nodes = phrasing
        ? text
        : { type: 'paragraph', children: [text], ...(position && { position }) };
      (parent.children as Nodes[])[index] = replacement;
    } else if ('children' in child) replaceIn(child);
  }
}
