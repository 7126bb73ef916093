import { diffArrays } from 'diff';
import { alignByAnchors } from './anchors';
import { changedWords, type Span } from './words';

export interface Part {
  text: string;
  changed: boolean;
}

export interface Line {
  number: number;
  text: string;
  /** The line by changed and unchanged parts; null if all or none of it changed. */
  parts: readonly Part[] | null;
}

/** A line of both sides, or a removed line beside the line that replaced it. */
export interface Row {
  same: boolean;
  left: Line | null;
  right: Line | null;
}

export type Comparison =
  | { kind: 'rows'; rows: readonly Row[]; added: number; removed: number }
  | { kind: 'same' }
  /** Too many lines to be compared in a browser. */
  | { kind: 'tooLarge' };

const MAX_LINES = 400_000;
const TIMEOUT_MS = 2_000;
/** How many pairs of lines are compared word by word; further ones are shown as completely changed. */
const MAX_PAIRS = 3_000;
const MAX_PAIR_LENGTH = 1_000;
/** Lines with a smaller common part are not compared word by word. */
const MIN_COMMON_RATIO = 0.3;

export function compare(before: string, after: string): Comparison {
  if (before === after) return { kind: 'same' };
  const [left, right] = [linesOf(before), linesOf(after)];
  if (Math.max(left.length, right.length) > MAX_LINES) return { kind: 'tooLarge' };
  const pairs = align(left, right, TIMEOUT_MS) ?? alignByAnchors(left, right);
  let compared = 0;
  const rows = pairs.map((row): Row => {
    const { same, left: old, right: now } = row;
    if (same || !old || !now || compared >= MAX_PAIRS) return row;
    if (Math.max(old.text.length, now.text.length) > MAX_PAIR_LENGTH) return row;
    compared += 1;
    const words = changedWords(old.text, now.text, MIN_COMMON_RATIO);
    if (words === null) return row;
    const parts = { left: partsOf(old.text, words.left), right: partsOf(now.text, words.right) };
    return { same, left: { ...old, parts: parts.left }, right: { ...now, parts: parts.right } };
  });
  const changed = rows.filter(({ same }) => !same);
  const added = changed.filter(({ right }) => right !== null).length;
  return { kind: 'rows', rows, added, removed: changed.filter(({ left }) => left !== null).length };
}

/** Lines with their newline, so that a missing newline at the end is a change. */
export function linesOf(text: string): Line[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.map((line, index) => ({ number: index + 1, text: line, parts: null }));
}

/** Puts removed items beside those that replaced them. Null if both sides differ too much to be compared in time. */
export function align<T extends { text: string }>(left: readonly T[], right: readonly T[], timeout: number) {
  const changes = diffArrays([...left], [...right], { comparator: (a, b) => a.text === b.text, timeout });
  if (changes === undefined) return null;
  const pairs: { same: boolean; left: T | null; right: T | null }[] = [];
  let [leftStart, leftEnd, rightStart, rightEnd] = [0, 0, 0, 0];
  function pairUp(same: boolean): void {
    const [old, now] = [left.slice(leftStart, leftEnd), right.slice(rightStart, rightEnd)];
    const paired = old.length === now.length ? byIndex(old, now) : byLikeness(old, now);
    for (const pair of paired) pairs.push({ same, ...pair });
    [leftStart, rightStart] = [leftEnd, rightEnd];
  }
  for (const { added, removed, value } of changes) {
    const same = !added && !removed;
    if (same) pairUp(false);
    if (!added) leftEnd += value.length;
    if (!removed) rightEnd += value.length;
    if (same) pairUp(true);
  }
  pairUp(false);
  return pairs;
}

interface Pair<T> {
  left: T | null;
  right: T | null;
}

const byIndex = <T>(old: readonly T[], now: readonly T[]): Pair<T>[] =>
  Array.from({ length: Math.max(old.length, now.length) }, (_, index) => ({
    left: old[index] ?? null,
    right: now[index] ?? null,
  }));

/** Of so many pairs it is found out how alike they are. */
const MAX_LIKENESSES = 2_500;
/** Something stands beside what took its place, however little they have in common. */
const LEAST_LIKENESS = 0.01;

/** In their order, each beside the one that it has most in common with: what was put in between others stands alone. */
function byLikeness<T extends { text: string }>(old: readonly T[], now: readonly T[]): Pair<T>[] {
  if (old.length * now.length > MAX_LIKENESSES) return byIndex(old, now);
  const [oldWords, nowWords] = [old.map(wordsOf), now.map(wordsOf)];
  // For each two places, how alike at best all is that comes after them.
  const best = Array.from({ length: old.length + 1 }, () => new Float64Array(now.length + 1));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  const beside = (i: number, j: number) =>
    at(i + 1, j + 1) + LEAST_LIKENESS + likeness(oldWords[i] ?? NO_WORDS, nowWords[j] ?? NO_WORDS);
  for (const [i, row] of [...best.entries()].reverse()) {
    if (i === old.length) continue;
    for (let j = now.length - 1; j >= 0; j -= 1) row[j] = Math.max(at(i + 1, j), at(i, j + 1), beside(i, j));
  }
  const pairs: Pair<T>[] = [];
  for (let [i, j] = [0, 0]; i < old.length || j < now.length; ) {
    const [left, right] = [old[i] ?? null, now[j] ?? null];
    if (left && right && at(i, j) === beside(i, j)) {
      pairs.push({ left, right });
      [i, j] = [i + 1, j + 1];
    } else if (right === null || (left && at(i, j) === at(i + 1, j))) {
      pairs.push({ left, right: null });
      i += 1;
    } else {
      pairs.push({ left: null, right });
      j += 1;
    }
  }
  return pairs;
}

const NO_WORDS: ReadonlySet<string> = new Set();
const wordsOf = ({ text }: { text: string }): ReadonlySet<string> => new Set(text.match(/\S+/g));

/** Which part of their words both have: from 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common += 1;
  return (2 * common) / Math.max(1, a.size + b.size);
}

/** The text by changed and unchanged parts. */
function partsOf(text: string, changed: readonly Span[]): Part[] {
  const parts: Part[] = [];
  let end = 0;
  const add = (to: number, isChanged: boolean) => {
    if (to > end) parts.push({ text: text.slice(end, to), changed: isChanged });
    end = to;
  };
  for (const [from, to] of changed) {
    add(from, false);
    add(to, true);
  }
  add(text.length, false);
  return parts;
}
