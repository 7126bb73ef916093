import { align, linesOf } from './compare';

export interface Step {
  version: number;
  content: string;
}

/** Where a line comes from: the version that brought it, and its number there. */
interface Origin {
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
  let lines = linesOf(first.content);
  let origins: Origin[] = lines.map(({ number }) => ({ version: first.version, line: number }));
  const removedBy: (number | null)[] = lines.map(() => null);
  for (const { version, content } of later) {
    const next = linesOf(content);
    const pairs = align(lines, next, TIMEOUT_MS);
    if (pairs === null) return null;
    const nextOrigins: Origin[] = [];
    for (const { same, left, right } of pairs) {
      const origin = left ? origins[left.number - 1] : undefined;
      if (same && origin) nextOrigins.push(origin);
      else if (right) nextOrigins.push({ version, line: right.number });
      if (!same && origin?.version === first.version) removedBy[origin.line - 1] = version;
    }
    lines = next;
    origins = nextOrigins;
  }
  return { origins, removedBy };
}
