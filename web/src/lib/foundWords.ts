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

const wordsIn = (query: string) =>
  (query.match(/"[^"]+"|\S+/g) ?? []).map((word) => word.replaceAll('"', '')).filter(Boolean);
const literal = (text: string) => text.replace(SPECIAL, '\\$&');

/** Whether several words stand in the text as they were typed. */
export function isTypedIn(text: string, query: string): boolean {
  const words = wordsIn(query);
  return words.length > 1 && new RegExp(literal(words.join(' ')), 'iu').test(text);
}

/**
 * The text by parts that were searched for and parts that were not: the words as they were typed if it has them so, else each of them.
 * Short words of several are found alone, not within others.
 */
export function partsOf(text: string, query: string): { part: string; found: boolean; at: number }[] {
  const words = wordsIn(query);
  const looked = isTypedIn(text, query)
    ? [literal(words.join(' '))]
    : words.map((word) => (words.length > 1 && SHORT.test(word) ? `\\b${word}\\b` : literal(word)));
  if (looked.length === 0) return [{ part: text, found: false, at: 0 }];
  const parts = text.split(new RegExp(`(${looked.join('|')})`, 'giu'));
  let at = 0;
  return parts.flatMap((part, index) => {
    const place = { part, found: index % 2 === 1, at };
    at += part.length;
    return part === '' ? [] : place;
  });
}
