import { endOfCharacter } from './content';

export interface RawLine {
  /** Null for the continuation of a very long line. */
  number: number | null;
  text: string;
}

const LINES_PER_GROUP = 200;
const MAX_LINE_LENGTH = 10_000;

/** Splits a text into groups of lines, so that the browser lays out only the groups in view. */
export function groupLines(content: string): RawLine[][] {
  const groups: RawLine[][] = [];
  let group: RawLine[] = [];
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const [index, line] of lines.entries()) {
    for (let start = 0, end = 0; start === 0 || start < line.length; start = end) {
      end = endOfCharacter(line, start + MAX_LINE_LENGTH);
      group.push({ number: start === 0 ? index + 1 : null, text: line.slice(start, end) });
      if (group.length < LINES_PER_GROUP) continue;
      groups.push(group);
      group = [];
    }
  }
  if (group.length > 0) groups.push(group);
  return groups;
}
