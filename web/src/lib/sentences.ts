const LETTERS = /[\p{L}\p{N}]{2}/u;
/** So much more is not worth a fold. */
const FEW = 1.5;
/** A line that breaks early takes the room of so many letters. */
const LINE_BREAK = 40;

let sentences: Intl.Segmenter | undefined;
let words: Intl.Segmenter | undefined;
let characters: Intl.Segmenter | undefined;

/** In words, in languages without blanks, too. */
const wordsOf = (text: string) => {
  words ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return words.segment(text);
};

/** Such a one belongs to what follows. */
const LEADS_ON = /[:：]\s*$/;

/** Where the sentences and paragraphs of a text end, but for those that lead to what follows. */
export function sentenceEnds(text: string): readonly number[] {
  sentences ??= new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return [...sentences.segment(text)]
    .filter(({ segment }) => LETTERS.test(segment) && !LEADS_ON.test(segment))
    .map(({ segment, index }) => index + segment.trimEnd().length);
}

/** The last place that is at most so far and uses at least half of that; else one that is a little further. */
export function nearest<T>(places: readonly T[], most: number, at: (place: T) => number): T | undefined {
  const before = places.findLast((place) => at(place) <= most);
  if (before !== undefined && at(before) >= most / 2) return before;
  return places.find((place) => at(place) > most && at(place) <= most * FEW);
}

export function countWords(text: string): number {
  let count = 0;
  for (const { isWordLike } of wordsOf(text)) if (isWordLike) count++;
  return count;
}

/** Where a text may be cut at most so far: where a word ends, if one does near, and never within a character. */
function cutBefore(text: string, most: number): number {
  const word = wordsOf(text).containing(most)?.index ?? 0;
  if (word >= most / 2) return word;
  characters ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return characters.segment(text).containing(most)?.index ?? most;
}

/** The beginning of a text, to the end of a sentence if one is near so many letters, and how many words are left. */
export function beginningOf(text: string, letters: number): { shown: string; left: number } {
  const room = (end: number) => end + LINE_BREAK * (text.slice(0, end).match(/\n+/g)?.length ?? 0);
  if (room(text.trimEnd().length) <= letters * FEW) return { shown: text, left: 0 };
  const end = nearest(sentenceEnds(text), letters, room);
  if (end !== undefined) return { shown: text.slice(0, end), left: countWords(text.slice(end)) };
  const cut = cutBefore(text, letters);
  return { shown: `${text.slice(0, cut).trimEnd()}…`, left: countWords(text.slice(cut)) };
}
