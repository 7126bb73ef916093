import type { Row } from '@/documents/changes/compare';
import type { ChangedPart } from './answers';
import type { BlockChange } from './blocks';
import type { LineRange } from './lineRanges';

/** Consecutive rows or blocks that changed, or that did not. */
export interface Part<T> {
  /** The index of its first item. */
  start: number;
  /** Null where nothing changed. */
  changed: ChangedPart | null;
  items: readonly T[];
}

export function partsOfRows(rows: readonly Row[]): Part<Row>[] {
  return partsOf(
    rows,
    ({ same }) => same,
    (part) => ({
      left: rangeOf(
        part.flatMap(({ left }) => (left === null ? [] : { from: left.number, to: left.number })),
      ),
      right: rangeOf(
        part.flatMap(({ right }) => (right === null ? [] : { from: right.number, to: right.number })),
      ),
    }),
  );
}

export function partsOfBlocks<T extends BlockChange>(changes: readonly T[]): Part<T>[] {
  return partsOf(
    changes,
    ({ kind }) => kind === 'same',
    (part) => ({
      left: rangeOf(part.flatMap(({ kind, block }) => (kind === 'removed' ? block : []))),
      right: rangeOf(part.flatMap(({ kind, block }) => (kind === 'added' ? block : []))),
    }),
  );
}

function partsOf<T>(
  items: readonly T[],
  isSame: (item: T) => boolean,
  changedPart: (part: readonly T[]) => ChangedPart,
): Part<T>[] {
  const parts: Part<T>[] = [];
  for (let start = 0; start < items.length; ) {
    const first = items[start];
    if (first === undefined) break;
    const same = isSame(first);
    let end = start + 1;
    for (let next = items[end]; next !== undefined && isSame(next) === same; next = items[end]) end += 1;
    const part = items.slice(start, end);
    parts.push({ start, changed: same ? null : changedPart(part), items: part });
    start = end;
  }
  return parts;
}

function rangeOf(ranges: readonly LineRange[]): LineRange | null {
  const [first, last] = [ranges[0], ranges.at(-1)];
  return first === undefined || last === undefined ? null : { from: first.from, to: last.to };
}
