import type { Element, ElementContent, Root, RootContent } from 'hast';
import { type ArgumentCitation, allCitationsIn, type Citation, idsIn, versionAtStart } from './citations';
import { elementOf, splitText, textNode } from './nodes';

/**
 * Turns citations into links. It runs after the sanitizer: what it adds contains only an id and a number, both matched
 * strictly.
 */
export function linkCitations(parent: Root | Element): void {
  const linked: ElementContent[] = [];
  const children = parent.children as ElementContent[];
  for (const [index, child] of children.entries()) {
    if (child.type === 'text') linked.push(...splitText(child.value, allCitationsIn(child.value), link));
    else if (child.type === 'element') linked.push(elementWithLinks(child, children[index + 1]));
    else linked.push(child);
  }
  parent.children = linked as RootContent[];
}

function elementWithLinks(element: Element, next: ElementContent | undefined): ElementContent {
  // Links cannot be nested, and `CodeBlock` handles blocks of code.
  if (element.tagName === 'a' || element.tagName === 'pre') return element;
  const id = element.tagName === 'code' ? bareId(element) : null;
  if (id === null) {
    linkCitations(element);
    return element;
  }
  // In `id` v2 the version follows the code element: it is moved into the link.
  const version = id.version === null && next?.type === 'text' ? versionAtStart(next.value) : null;
  if (version === null || next?.type !== 'text') return link(id, [element]);
  const versionText = next.value.slice(0, version.length);
  next.value = next.value.slice(version.length);
  return link({ ...id, version: version.version }, [element, textNode(versionText)]);
}

/** The id in a code element that has nothing else. If it is not that of a document, the drawer says so. */
function bareId(code: Element): Citation | null {
  const [only, ...others] = code.children;
  if (only?.type !== 'text' || others.length > 0) return null;
  const [id] = idsIn(only.value);
  return id !== undefined && id.start === 0 && id.end === only.value.length ? id : null;
}

/** A block of code with links for citations that are named as such; null if it has none. */
export function codeWithLinks(code: string): ElementContent[] | null {
  const citations = allCitationsIn(code).filter((citation) => 'seq' in citation || citation.named);
  if (citations.length === 0) return null;
  const children = splitText(code, citations, link);
  for (const child of children) if (child.type === 'element') child.properties.dataVerbatim = true;
  return children;
}

function link(citation: Citation | ArgumentCitation, children: ElementContent[]): Element {
  const properties =
    'seq' in citation
      ? { dataDebate: citation.debateId, dataSeq: citation.seq }
      : { dataDocument: citation.id, dataVersion: citation.version };
  return elementOf('a', children, properties);
}
