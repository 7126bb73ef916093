import { diffArrays, diffWordsWithSpace } from 'diff';

export interface Part {
  text: string;
  changed: boolean;
}

export interface Line {
  number: number;
  text: string;
  /** What of it changed; null where it is all, or nothing. */
  parts: readonly Part[] | null;
}

/** A line of either side, or the line of one side that stands in place of the other's. */
export interface Row {
  same: boolean;
  left: Line | null;
  right: Line | null;
}

export type Comparison =
  | { kind: 'rows'; rows: readonly Row[]; added: number; removed: number }
  | { kind: 'same' }
  /** Too long, or with too little in common, to be compared in a browser. */
  | { kind: 'tooMuch' };

const MOST_LINES = 100_000;
const MOST_MS = 5_000;
/** Lines that are compared word by word; the others are shown as changed in whole. */
const MOST_PAIRS = 3_000;
const LONGEST_PAIR = 1_000;
/** Lines that have less in common are two lines, not one that was changed. */
const LEAST_COMMON = 0.3;

export function compare(before: string, after: string): Comparison {
  if (before === after) return { kind: 'same' };
  const left = linesOf(before);
  const right = linesOf(after);
  if (Math.max(left.length, right.length) > MOST_LINES) return { kind: 'tooMuch' };
  const changes = diffArrays(left, right, { timeout: MOST_MS });
  if (changes === undefined) return { kind: 'tooMuch' };

  const rows = new Rows();
  for (const { added, removed, value } of changes) {
    if (removed) rows.remove(value);
    else if (added) rows.add(value);
    else rows.keep(value);
  }
  return rows.done();
}

/** With their ends, so that a line that lost its end is another line. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Puts what was removed beside what was added in its place. */
class Rows {
  private readonly rows: Row[] = [];
  private gone: string[] = [];
  private come: string[] = [];
  private left = 0;
  private right = 0;
  private added = 0;
  private removed = 0;
  private pairs = 0;

  remove(lines: readonly string[]): void {
    this.gone = this.gone.concat(lines);
  }

  add(lines: readonly string[]): void {
    this.come = this.come.concat(lines);
  }

  keep(lines: readonly string[]): void {
    this.settle();
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

  done(): Comparison {
    this.settle();
    return { kind: 'rows', rows: this.rows, added: this.added, removed: this.removed };
  }

  private settle(): void {
    const { gone, come } = this;
    for (let index = 0; index < Math.max(gone.length, come.length); index += 1) {
      const [old, young] = [gone[index], come[index]];
      const parts = old !== undefined && young !== undefined ? this.pair(old, young) : null;
      this.rows.push({
        same: false,
        left:
          old === undefined ? null : { number: this.left + index + 1, text: old, parts: parts?.left ?? null },
        right:
          young === undefined
            ? null
            : { number: this.right + index + 1, text: young, parts: parts?.right ?? null },
      });
    }
    this.left += gone.length;
    this.right += come.length;
    this.removed += gone.length;
    this.added += come.length;
    this.gone = [];
    this.come = [];
  }

  private pair(old: string, young: string): { left: Part[]; right: Part[] } | null {
    if (old.length > LONGEST_PAIR || young.length > LONGEST_PAIR || this.pairs >= MOST_PAIRS) return null;
    this.pairs += 1;
    return wordByWord(old, young);
  }
}

function wordByWord(old: string, young: string): { left: Part[]; right: Part[] } | null {
  const left: Part[] = [];
  const right: Part[] = [];
  let common = 0;
  for (const { added, removed, value } of diffWordsWithSpace(old, young)) {
    if (!added) left.push({ text: value, changed: removed });
    if (!removed) right.push({ text: value, changed: added });
    if (!added && !removed) common += value.trim().length;
  }
  const whole = Math.max(old.trim().length, young.trim().length, 1);
  return common / whole < LEAST_COMMON ? null : { left, right };
}
