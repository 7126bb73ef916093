import type { Element, ElementContent, Root, RootContent, Text } from 'hast';
import { type Citation, citationsIn, idsIn, versionAtStart } from './citations';

/**
 * Makes links of what cites a document. It runs on what is sanitized already: nothing but an id and a number, both matched
 * strictly, get into what it adds.
 */
export function cite() {
  return (tree: Root) => citeIn(tree);
}

function citeIn(parent: Root | Element): void {
  const cited: ElementContent[] = [];
  const children = parent.children as ElementContent[];
  for (const [index, child] of children.entries()) {
    if (child.type === 'text') cited.push(...textWithLinks(child.value, citationsIn(child.value)));
    else if (child.type === 'element') cited.push(elementWithLinks(child, children[index + 1]));
    else cited.push(child);
  }
  parent.children = cited as RootContent[];
}

function elementWithLinks(element: Element, next: ElementContent | undefined): ElementContent {
  // No link within a link; blocks of code are `CodeBlock`'s.
  if (element.tagName === 'a' || element.tagName === 'pre') return element;
  const id = element.tagName === 'code' ? idAlone(element) : null;
  if (id === null) {
    citeIn(element);
    return element;
  }
  // In `id` v2 the version stands outside of the code: it is part of the link, and no longer of the text.
  const version = id.version === null && next?.type === 'text' ? versionAtStart(next.value) : null;
  if (version === null || next?.type !== 'text') return link(id, [element]);
  const words = next.value.slice(0, version.length);
  next.value = next.value.slice(version.length);
  return link({ ...id, version: version.version }, [element, text(words)]);
}

/** Code that is an id and nothing else: not sure to be a document's, but whoever follows it is told. */
function idAlone(code: Element): Citation | null {
  const [only, ...others] = code.children;
  if (only?.type !== 'text' || others.length > 0) return null;
  const [id] = idsIn(only.value);
  return id !== undefined && id.start === 0 && id.end === only.value.length ? id : null;
}

/** A block of code that cites documents by name; null where it does not. */
export function codeWithLinks(code: string): Root | null {
  const citations = citationsIn(code).filter(({ named }) => named);
  return citations.length === 0 ? null : { type: 'root', children: textWithLinks(code, citations) };
}

function textWithLinks(value: string, citations: readonly Citation[]): ElementContent[] {
  const parts: ElementContent[] = [];
  let at = 0;
  for (const citation of citations) {
    if (citation.start > at) parts.push(text(value.slice(at, citation.start)));
    parts.push(link(citation, [text(value.slice(citation.start, citation.end))]));
    at = citation.end;
  }
  if (at < value.length || parts.length === 0) parts.push(text(value.slice(at)));
  return parts;
}

function text(value: string): Text {
  return { type: 'text', value };
}

function link({ id, version }: Citation, children: ElementContent[]): Element {
  return { type: 'element', tagName: 'a', properties: { dataDocument: id, dataVersion: version }, children };
}
