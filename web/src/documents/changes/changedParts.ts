import { type ReactNode, useMemo, useState } from 'react';
import type { LineRange } from './lineRange';

/** The lines of a changed part on both sides; null on a side that has none. */
export interface ChangedPart {
  left: LineRange | null;
  right: LineRange | null;
}

/** What to show at a changed part; null where nothing speaks of it. */
export type AnswersAt = (part: ChangedPart) => ReactNode;

/** Consecutive rows or blocks that changed, or that did not. */
interface Part<T> {
  /** The index of its first item. */
  start: number;
  /** Null where nothing changed. */
  changed: ChangedPart | null;
  items: readonly T[];
}

type ChangedPartOf<T> = (item: T) => ChangedPart | null;

/** Consecutive items that are shown, or unchanged items that are collapsed. */
interface Segment<T> {
  /** The index of its first item. */
  start: number;
  collapsed: boolean;
  items: readonly T[];
}

/**
 * `context` is how many unchanged items are shown around a change; fewer than `least` are not collapsed. The heading above a change is
 * shown, too.
 */
export function collapseUnchanged<T>(
  items: readonly T[],
  isSame: (item: T) => boolean,
  context: number,
  least: number,
  isHeading: (item: T) => boolean = () => false,
): Segment<T>[] {
  // For each item, whether it is a change, near a change, or between two changes that are close together.
  const shown = items.map(() => false);
  let shownTo = 0;
  let heading: number | null = null;
  for (const [index, item] of items.entries()) {
    if (isHeading(item)) heading = index;
    if (isSame(item)) continue;
    const from = index - context - shownTo < least ? shownTo : index - context;
    shownTo = Math.min(items.length, index + 1 + context);
    shown.fill(true, from, shownTo);
    if (heading !== null) shown.fill(true, heading, from - heading > least ? heading + 1 : from);
    heading = null;
  }
  if (items.length - shownTo < least) shown.fill(true, shownTo);

  const segments: Segment<T>[] = [];
  for (let start = 0; start < items.length; ) {
    const next = shown.indexOf(!shown[start], start);
    const end = next < 0 ? items.length : next;
    segments.push({ start, collapsed: shown[start] === false, items: items.slice(start, end) });
    start = end;
  }
  return segments;
}

/** The segments of a comparison, in which what is collapsed can be expanded. */
export function useSegments<T>(
  items: readonly T[],
  changedPart: ChangedPartOf<T>,
  context: number,
  least: number,
  isHeading?: (item: T) => boolean,
) {
  const segments = useMemo(
    () => collapseUnchanged(items, (item) => changedPart(item) === null, context, least, isHeading),
    [items, changedPart, context, least, isHeading],
  );
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set());
  return segments.map(({ collapsed, ...segment }) => ({
    ...segment,
    collapsed: collapsed && !expanded.has(segment.start),
    expand: () => setExpanded(new Set([...expanded, segment.start])),
  }));
}

/** How many parts of them changed, each of consecutive items. */
export function countParts<T>(items: readonly T[], changedPart: ChangedPartOf<T>): number {
  const changed = items.map((item) => changedPart(item) !== null);
  return changed.filter((isChanged, index) => isChanged && !changed[index - 1]).length;
}

export function partsOf<T>(items: readonly T[], changedPart: ChangedPartOf<T>): Part<T>[] {
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
