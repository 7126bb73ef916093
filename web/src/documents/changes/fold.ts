import type { Row } from './compare';

/** Rows that are shown, or a stretch without changes that is folded. */
export interface Stretch {
  /** The place of its first row: it never changes. */
  start: number;
  folded: boolean;
  rows: readonly Row[];
}

/** Unchanged lines around a change that are shown with it. */
const AROUND = 3;
/** A fold takes a line itself: fewer are not worth it. */
const FEWEST = 4;

export function stretches(rows: readonly Row[]): Stretch[] {
  const shown = nearChanges(rows);
  const found: Stretch[] = [];
  for (let start = 0; start < rows.length; ) {
    let end = start + 1;
    while (end < rows.length && shown[end] === shown[start]) end += 1;
    found.push({ start, folded: shown[start] === false, rows: rows.slice(start, end) });
    start = end;
  }
  return found;
}

/** For each row, whether it is a change, near to one, or between two that are near to each other. */
function nearChanges(rows: readonly Row[]): boolean[] {
  const shown = rows.map(() => false);
  let shownTo = 0;
  for (const [index, row] of rows.entries()) {
    if (row.same) continue;
    const from = index - AROUND - shownTo < FEWEST ? shownTo : index - AROUND;
    shownTo = Math.min(rows.length, index + 1 + AROUND);
    shown.fill(true, from, shownTo);
  }
  if (rows.length - shownTo < FEWEST) shown.fill(true, shownTo);
  return shown;
}
