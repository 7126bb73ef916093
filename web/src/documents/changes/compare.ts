import { diffArrays } from 'diff';
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
  /** Too long, or too different, to be compared in a browser. */
  | { kind: 'tooLarge' };

const MAX_LINES = 100_000;
const TIMEOUT_MS = 5_000;
/** How many pairs of lines are compared word by word; further ones are shown as completely changed. */
const MAX_PAIRS = 3_000;
const MAX_PAIR_LENGTH = 1_000;
/** Lines with a smaller common part are not compared word by word. */
const MIN_COMMON_RATIO = 0.3;

export function compare(before: string, after: string): Comparison {
  if (before === after) return { kind: 'same' };
  const left = linesOf(before);
  const right = linesOf(after);
  if (Math.max(left.length, right.length) > MAX_LINES) return { kind: 'tooLarge' };
  const changes = diffArrays(left, right, { timeout: TIMEOUT_MS });
  if (changes === undefined) return { kind: 'tooLarge' };

  const builder = new RowBuilder();
  for (const { added, removed, value } of changes) {
    if (removed) builder.remove(value);
    else if (added) builder.add(value);
    else builder.keep(value);
  }
  return builder.build();
}

/** Lines with their newline, so that a missing newline at the end is a change. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Builds the rows: removed lines are put beside the lines that replaced them. */
class RowBuilder {
  private readonly rows: Row[] = [];
  private removedLines: string[] = [];
  private addedLines: string[] = [];
  private left = 0;
  private right = 0;
  private added = 0;
  private removed = 0;
  private pairs = 0;

  remove(lines: readonly string[]): void {
    this.removedLines = this.removedLines.concat(lines);
  }

  add(lines: readonly string[]): void {
    this.addedLines = this.addedLines.concat(lines);
  }

  keep(lines: readonly string[]): void {
    this.flush();
    for (const text of lines) {
      this.left += 1;
      this.right += 1;
      this.rows.push({
        same: true,
        left: { number: this.left, text, parts: null },
        right: { number: this.right, text, parts: null },
      });
    }
  }

  build(): Comparison {
    this.flush();
    return { kind: 'rows', rows: this.rows, added: this.added, removed: this.removed };
  }

  private flush(): void {
    const { removedLines, addedLines } = this;
    for (let index = 0; index < Math.max(removedLines.length, addedLines.length); index += 1) {
      const [before, after] = [removedLines[index], addedLines[index]];
      const parts = before !== undefined && after !== undefined ? this.comparePair(before, after) : null;
      this.rows.push({
        same: false,
        left:
          before === undefined
            ? null
            : { number: this.left + index + 1, text: before, parts: parts?.left ?? null },
        right:
          after === undefined
            ? null
            : { number: this.right + index + 1, text: after, parts: parts?.right ?? null },
      });
    }
    this.left += removedLines.length;
    this.right += addedLines.length;
    this.removed += removedLines.length;
    this.added += addedLines.length;
    this.removedLines = [];
    this.addedLines = [];
  }

  private comparePair(before: string, after: string): { left: Part[]; right: Part[] } | null {
    if (before.length > MAX_PAIR_LENGTH || after.length > MAX_PAIR_LENGTH || this.pairs >= MAX_PAIRS)
      return null;
    this.pairs += 1;
    return compareWords(before, after);
  }
}

function compareWords(before: string, after: string): { left: Part[]; right: Part[] } | null {
  const words = changedWords(before, after, MIN_COMMON_RATIO);
  return words && { left: partsOf(before, words.left), right: partsOf(after, words.right) };
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
