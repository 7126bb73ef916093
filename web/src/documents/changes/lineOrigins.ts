import { diffArrays } from 'diff';

export interface Step {
  version: number;
  content: string;
}

/** Where a line comes from: the version that brought it, and its number there. */
export interface Origin {
  version: number;
  line: number;
}

/** Which of several consecutive versions made which change. */
export interface Trace {
  /** For each line of the last version, by its number minus one; the first version's lines have its number. */
  origins: readonly Origin[];
  /** For each line of the first version: the version without it, or null if the last one still has it. */
  removedBy: readonly (number | null)[];
}

const TIMEOUT_MS = 2_000;

/** Follows lines through the versions, oldest first. Null if they differ too much to be compared in time. */
export function trace(steps: readonly Step[]): Trace | null {
  const [first, ...later] = steps;
  if (first === undefined) return null;
  let lines = splitLines(first.content);
  let origins: Origin[] = lines.map((_, index) => ({ version: first.version, line: index + 1 }));
  const removedBy: (number | null)[] = lines.map(() => null);
  for (const { version, content } of later) {
    const next = splitLines(content);
    const changes = diffArrays(lines, next, { timeout: TIMEOUT_MS });
    if (changes === undefined) return null;
    const nextOrigins: Origin[] = [];
    let left = 0;
    for (const { added, removed, value } of changes) {
      if (removed) {
        for (const gone of origins.slice(left, left + value.length)) {
          if (gone.version === first.version) removedBy[gone.line - 1] = version;
        }
        left += value.length;
      } else if (added) {
        for (const _ of value) nextOrigins.push({ version, line: nextOrigins.length + 1 });
      } else {
        nextOrigins.push(...origins.slice(left, left + value.length));
        left += value.length;
      }
    }
    lines = next;
    origins = nextOrigins;
  }
  return { origins, removedBy };
}

/** Lines with their newline, as the comparison has them. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
