import type { Nodes, Parents, Root } from 'mdast';

const PHRASING_PARENTS = new Set([
  'paragraph',
  'heading',
  'emphasis',
  'strong',
  'delete',
  'link',
  'tableCell',
]);

/**
 * Shows HTML as the text it is. Dropping it would hide from the arbitrator what an agent wrote: `Vec<String>` outside of
 * code, or a comment.
 */
export function htmlAsText() {
  return (tree: Root) => replaceIn(tree);
}

function replaceIn(parent: Parents): void {
  for (const [index, child] of parent.children.entries()) {
    if (child.type === 'html') {
      const text = { type: 'text', value: child.value } as const;
      const phrasing = PHRASING_PARENTS.has(parent.type);
      const shown: Nodes = phrasing ? text : { type: 'paragraph', children: [text] };
      (parent.children as Nodes[])[index] = shown;
    } else if ('children' in child) replaceIn(child);
  }
}
