import { createStore } from './store';

/** The hit of a search that was opened last. */
interface Found {
  debateId: string;
  /** The number of the argument, or the id of the issue. */
  place: number | string;
  words: string;
}

/** So that its words can be marked where it led. */
export const foundWords = createStore<Found | null>(null);

/** The text by parts that were searched for and parts that were not. */
export function partsOf(text: string, query: string): { part: string; found: boolean; at: number }[] {
  const words = query.match(/"[^"]+"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
  const escaped = words.filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (escaped.length === 0) return [{ part: text, found: false, at: 0 }];
  const parts = text.split(new RegExp(`(${escaped.join('|')})`, 'giu'));
  let at = 0;
  return parts.flatMap((part, index) => {
    const place = { part, found: index % 2 === 1, at };
    at += part.length;
    return part === '' ? [] : place;
  });
}
