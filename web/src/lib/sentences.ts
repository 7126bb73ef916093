const LETTERS = /[\p{L}\p{N}]{2}/u;
const WORD = /[\p{L}\p{N}]\S*/gu;
/** So much more is not worth a fold. */
const FEW = 1.5;
/** A line that breaks early takes the room of so many letters. */
const LINE_BREAK = 40;

let segmenter: Intl.Segmenter | undefined;

/** Where the sentences and paragraphs of a text end. */
export function sentenceEnds(text: string): readonly number[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return [...segmenter.segment(text)]
    .filter(({ segment }) => LETTERS.test(segment))
    .map(({ segment, index }) => index + segment.trimEnd().length);
}

/** The place, of those that do, that is at most so far and uses at least half of that; else one that is a little further, else an earlier one. */
export function nearest<T>(places: readonly T[], most: number, at: (place: T) => number): T | undefined {
  const before = places.findLast((place) => at(place) <= most);
  if (before !== undefined && at(before) >= most / 2) return before;
  return places.find((place) => at(place) > most && at(place) <= most * FEW) ?? before;
}

export const countWords = (text: string) => text.match(WORD)?.length ?? 0;

/** The beginning of a text, to the end of a sentence if one is near so many letters, and how many words are left. */
export function beginningOf(text: string, letters: number): { shown: string; left: number } {
  const room = (end: number) => end + LINE_BREAK * (text.slice(0, end).match(/\n+/g)?.length ?? 0);
  if (room(text.trimEnd().length) <= letters * FEW) return { shown: text, left: 0 };
  const end = nearest(sentenceEnds(text), letters, room);
  const shown =
    end === undefined ? `${text.slice(0, letters).replace(/\S*$/, '').trimEnd()}…` : text.slice(0, end);
  return { shown, left: countWords(text.slice(end ?? shown.length - 1)) };
}
