import { diffWordsWithSpace } from 'diff';

/** A part of a text, by its first character and the one after its last. */
export type Span = readonly [start: number, end: number];

export interface ChangedWords {
  left: readonly Span[];
  right: readonly Span[];
}

/** Of the shorter text: where so much of it is in the longer one, that was extended or cut. */
const EXTENDED_RATIO = 0.75;

/** The words that differ; null if the common part of both texts is smaller, so that marking words would not help. */
export function changedWords(before: string, after: string, minCommonRatio: number): ChangedWords | null {
  const left: Span[] = [];
  const right: Span[] = [];
  let [leftEnd, rightEnd, common] = [0, 0, 0];
  for (const { added, removed, value } of diffWordsWithSpace(before, after)) {
    if (removed) left.push([leftEnd, leftEnd + value.length]);
    if (added) right.push([rightEnd, rightEnd + value.length]);
    if (!added) leftEnd += value.length;
    if (!removed) rightEnd += value.length;
    if (!added && !removed) common += value.trim().length;
  }
  const lengths = [before.trim().length, after.trim().length];
  const isExtended = common >= Math.min(...lengths) * EXTENDED_RATIO && common > 0;
  if (!isExtended && common < Math.max(...lengths) * minCommonRatio) return null;
  return { left: joined(before, left), right: joined(after, right) };
}

/** Words that changed with nothing but a space between them are one part. */
function joined(text: string, spans: readonly Span[]): Span[] {
  const parts: Span[] = [];
  for (const [start, end] of spans) {
    const last = parts.at(-1);
    if (last !== undefined && text.slice(last[1], start).trim() === '') parts.splice(-1, 1, [last[0], end]);
    else parts.push([start, end]);
  }
  return parts;
}
