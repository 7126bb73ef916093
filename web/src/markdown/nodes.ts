import type { Element, ElementContent, Properties, Root, Text } from 'hast';

/** All elements, each before those in it. */
export function* elementsIn(parent: Root | Element): Generator<Element> {
  for (const child of parent.children) {
    if (child.type !== 'element') continue;
    yield child;
    yield* elementsIn(child);
  }
}

export function textOf({ children }: Root | Element): string {
  return children
    .map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? textOf(child) : ''))
    .join('');
}

/** The language of a block of code, in lower case. */
export function languageOf(code: Element): string | null {
  const classes = code.properties.className;
  if (!Array.isArray(classes)) return null;
  const named = classes.find((name) => String(name).startsWith('language-'));
  return named === undefined ? null : String(named).slice('language-'.length).toLowerCase();
}

export function textNode(value: string): Text {
  return { type: 'text', value };
}

export function elementOf(tagName: string, children: ElementContent[], properties: Properties = {}): Element {
  return { type: 'element', tagName, properties, children };
}

interface Range {
  start: number;
  end: number;
}

/** A text, parts of which become elements. */
export function splitText<T extends Range>(
  value: string,
  ranges: readonly T[],
  elementFor: (range: T, children: ElementContent[]) => Element,
): ElementContent[] {
  const parts: ElementContent[] = [];
  let end = 0;
  for (const range of ranges) {
    if (range.start > end) parts.push(textNode(value.slice(end, range.start)));
    parts.push(elementFor(range, [textNode(value.slice(range.start, range.end))]));
    end = range.end;
  }
  if (end < value.length || parts.length === 0) parts.push(textNode(value.slice(end)));
  return parts;
}
