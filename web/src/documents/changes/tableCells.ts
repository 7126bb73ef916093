import type { Line, Part } from './compare';

/** Between the cells of a row; one that is escaped is a character. */
const BETWEEN = /(?<!\\)\|/;
const DELIMITERS = /^[\s|:-]+$/;

/** Whether it is the line below the header, which is not seen. */
export const isDelimiterRow = ({ text }: Line) => DELIMITERS.test(text) && text.includes('-');

/** The cells of a line of a table, each by changed and unchanged parts. */
export function cellsOf({ text, parts }: Line): Part[][] {
  const cells: Part[][] = [[]];
  for (const part of parts ?? [{ text, changed: false }]) {
    for (const [index, piece] of part.text.replace(/\n$/, '').split(BETWEEN).entries()) {
      if (index > 0) cells.push([]);
      if (piece !== '') cells.at(-1)?.push({ ...part, text: piece.replaceAll('\\|', '|') });
    }
  }
  const isBlank = (cell: readonly Part[] | undefined) =>
    cell?.every((part) => part.text.trim() === '') === true;
  // The marks at both ends are optional.
  if (cells.length > 1 && isBlank(cells[0])) cells.shift();
  if (cells.length > 1 && isBlank(cells.at(-1))) cells.pop();
  return cells;
}
