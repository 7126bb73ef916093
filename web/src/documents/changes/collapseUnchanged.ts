import type { Row } from './compare';

/** Consecutive rows that are shown, or unchanged rows that are collapsed. */
export interface Segment {
  /** The index of its first row. */
  start: number;
  collapsed: boolean;
  rows: readonly Row[];
}

/** How many unchanged lines are shown around a change. */
const CONTEXT_LINES = 3;
/** Fewer unchanged lines than this are not collapsed, since the button takes a line, too. */
const MIN_COLLAPSED = 4;

export function collapseUnchanged(rows: readonly Row[]): Segment[] {
  const shown = nearChanges(rows);
  const segments: Segment[] = [];
  for (let start = 0; start < rows.length; ) {
    let end = start + 1;
    while (end < rows.length && shown[end] === shown[start]) end += 1;
    segments.push({ start, collapsed: shown[start] === false, rows: rows.slice(start, end) });
    start = end;
  }
  return segments;
}

/** For each row, whether it is a change, near a change, or between two changes that are close together. */
function nearChanges(rows: readonly Row[]): boolean[] {
  const shown = rows.map(() => false);
  let shownTo = 0;
  for (const [index, row] of rows.entries()) {
    if (row.same) continue;
    const from = index - CONTEXT_LINES - shownTo < MIN_COLLAPSED ? shownTo : index - CONTEXT_LINES;
    shownTo = Math.min(rows.length, index + 1 + CONTEXT_LINES);
    shown.fill(true, from, shownTo);
  }
  if (rows.length - shownTo < MIN_COLLAPSED) shown.fill(true, shownTo);
  return shown;
}
