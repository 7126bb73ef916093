import type { LineRange } from '@/documents/changes/lineRange';

/** Selected lines, of the version that is shown or, in changes, of the former one. */
export interface Selection extends LineRange {
  old: boolean;
}

/** What can be selected: an element with the lines that it shows. */
export interface Unit extends LineRange {
  old: boolean;
}

/** The lines of several units. Removed lines count only if nothing else is selected. */
export function selectionOf(units: readonly Unit[]): Selection | null {
  const current = units.filter(({ old }) => !old);
  const chosen = current.length > 0 ? current : units;
  if (chosen.length === 0) return null;
  return {
    from: Math.min(...chosen.map(({ from }) => from)),
    to: Math.max(...chosen.map(({ to }) => to)),
    old: current.length === 0,
  };
}

/** Reads `data-lines="12-18"`. */
export function parseLines(text: string | undefined): LineRange | null {
  const match = /^(\d+)-(\d+)$/.exec(text ?? '');
  return match === null ? null : { from: Number(match[1]), to: Number(match[2]) };
}
