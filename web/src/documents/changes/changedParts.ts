import type { ReactNode } from 'react';
import type { BlockChange } from './blocks';
import type { Row } from './compare';
import type { LineRange } from './lineRange';

/** The lines of a changed part on both sides; null on a side that has none. */
export interface ChangedPart {
  left: LineRange | null;
  right: LineRange | null;
}

/** What to show at a changed part; null where nothing speaks of it. */
export type AnswersAt = (part: ChangedPart) => ReactNode;

/** Consecutive rows or blocks that changed, or that did not. */
export interface Part<T> {
  /** The index of its first item. */
  start: number;
  /** Null where nothing changed. */
  changed: ChangedPart | null;
  items: readonly T[];
}

export function partsOfRows(rows: readonly Row[]): Part<Row>[] {
  const lines = (line: Row['left']) => line && { from: line.number, to: line.number };
  return partsOf(rows, ({ same, left, right }) => (same ? null : { left: lines(left), right: lines(right) }));
}

export function partsOfBlocks(changes: readonly BlockChange[]): Part<BlockChange>[] {
  return partsOf(changes, (change) => {
    if (change.kind === 'rows') return change;
    if (change.kind === 'same') return null;
    return change.kind === 'removed'
      ? { left: change.block, right: null }
      : { left: null, right: change.block };
  });
}

function partsOf<T>(items: readonly T[], changedPart: (item: T) => ChangedPart | null): Part<T>[] {
  const parts: (Part<T> & { items: T[] })[] = [];
  for (const [start, item] of items.entries()) {
    const changed = changedPart(item);
    const last = parts.at(-1);
    if (last === undefined || (last.changed === null) !== (changed === null)) {
      parts.push({ start, changed, items: [item] });
      continue;
    }
    last.items.push(item);
    if (last.changed === null || changed === null) continue;
    const { left, right } = last.changed;
    last.changed = { left: join(left, changed.left), right: join(right, changed.right) };
  }
  return parts;
}

function join(first: LineRange | null, next: LineRange | null): LineRange | null {
  return first && next ? { from: first.from, to: next.to } : (first ?? next);
}
