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

const SHORT = /^[a-z]{1,2}$/i;
const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/**
 * The text by parts that were searched for and parts that were not: the words as they were typed if it has them so, else each of them.
 * Short words of several are found alone, not within others.
 */
export function partsOf(text: string, query: string): { part: string; found: boolean; at: number }[] {
  const words = query.match(/"[^"]+"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
  const escaped = words
    .filter(Boolean)
    .map((word) => (words.length > 1 && SHORT.test(word) ? `\\b${word}\\b` : word.replace(SPECIAL, '\\$&')));
  if (escaped.length === 0) return [{ part: text, found: false, at: 0 }];
  const typed = words.join(' ').replace(SPECIAL, '\\$&');
  const isWhole = words.length > 1 && new RegExp(typed, 'iu').test(text);
  const parts = text.split(new RegExp(`(${isWhole ? typed : escaped.join('|')})`, 'giu'));
  let at = 0;
  return parts.flatMap((part, index) => {
    const place = { part, found: index % 2 === 1, at };
    at += part.length;
    return part === '' ? [] : place;
  });
}
