import type { Element, ElementContent, Root, Text } from 'hast';
import { elementOf, splitText } from './nodes';

/** Parts of the source, by the first character and the one after the last. */
export interface Marks {
  tag: 'ins' | 'del';
  spans: readonly (readonly [start: number, end: number])[];
}

/** Marks the words of rendered text that come from some parts of its source. */
export function markWords(parent: Root | Element, source: string, marks: Marks): void {
  parent.children = (parent.children as ElementContent[]).flatMap((child) => {
    if (child.type === 'text') return markText(child, source, marks);
    if (child.type === 'element' && child.tagName !== 'pre') markWords(child, source, marks);
    return child;
  });
}

function markText(node: Text, source: string, { tag, spans }: Marks): ElementContent[] {
  const { start, end } = node.position ?? {};
  if (start?.offset === undefined || end?.offset === undefined) return [node];
  const [first, last] = [start.offset, end.offset];
  const within = spans.filter(([from, to]) => from < last && first < to);
  if (within.length === 0) return [node];
  const marked = (children: ElementContent[]): Element => elementOf(tag, children);
  const places = placesIn(node.value, source.slice(first, last));
  if (places === null) return [marked([node])];
  const placeOf = (offset: number) => places[Math.min(Math.max(offset, first), last) - first] ?? 0;
  const ranges = within.map(([from, to]) => ({ start: placeOf(from), end: placeOf(to) }));
  return splitText(node.value, ranges, (_, children) => marked(children));
}

/**
 * For each place in the source of a text its place in the text, which has less: no backslash of an escape, no indentation of a line.
 * Null if the text is not found in its source, as with an entity.
 */
function placesIn(text: string, source: string): readonly number[] | null {
  const places: number[] = [];
  let place = 0;
  for (let index = 0; index < source.length; index += 1) {
    places.push(place);
    if (source[index] === text[place]) place += 1;
  }
  places.push(place);
  return place === text.length ? places : null;
}
