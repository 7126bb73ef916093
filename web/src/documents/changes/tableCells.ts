import type { Line, Part, Row } from './compare';

/** Between the cells of a row; one that is escaped is a character. */
const BETWEEN = /(?<!\\)\|/;

/** The line below the header of a side. */
function delimiterOf(rows: readonly Row[], side: 'left' | 'right'): number {
  return (rows.find((row) => row[side])?.[side]?.number ?? 0) + 1;
}

/** How the columns of a side are aligned; undefined where that is not said. */
export function alignmentsOf(rows: readonly Row[], side: 'left' | 'right') {
  const number = delimiterOf(rows, side);
  const line = rows.find((row) => row[side]?.number === number)?.[side];
  if (!line) return [];
  return cellsOf({ ...line, parts: null }).map(([part]) => {
    const [, begin, end] = /^\s*(:?)-+(:?)\s*$/.exec(part?.text ?? '') ?? [];
    if (end) return begin ? 'center' : 'right';
    return begin ? 'left' : undefined;
  });
}

/** The rows of a table without the line below the header of each side, which is not seen. Others may have the same text. */
export function withoutDelimiters(rows: readonly Row[]): Row[] {
  const [oldNumber, newNumber] = [delimiterOf(rows, 'left'), delimiterOf(rows, 'right')];
  return rows.flatMap((row) => {
    const left = row.left?.number === oldNumber ? null : row.left;
    const right = row.right?.number === newNumber ? null : row.right;
    if (left === null && right === null) return [];
    return { same: row.same && left !== null && right !== null, left, right };
  });
}

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
