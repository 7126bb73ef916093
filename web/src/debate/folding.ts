import type { Argument } from '@/api/types';
import type { DebateView } from './debateView';

/** Shorter debates are shown as they are. */
const LONG_DEBATE = 20;
/** The newest arguments are never folded. */
const KEPT = 8;
/** Fewer are not worth a row of their own. */
const LEAST_FOLDED = 3;

export interface Fold {
  first: number;
  last: number;
  open: boolean;
}

/** A row of the thread: an argument, or the row above a run of settled ones, which hides them unless it is open. */
export type Row = Argument | Fold;

type Loaded = Pick<DebateView, 'items' | 'last' | 'issues'>;

/**
 * The rows of a thread. In a long debate, rounds whose issues are all settled, or on which a ruling came, are folded.
 * `unfolded` has seqs: a run with any of them is open.
 */
export function rowsOf({ items, last, issues }: Loaded, unfolded: ReadonlySet<number>): readonly Row[] {
  if (last.seq < LONG_DEBATE) return items;
  const unsettled = new Set(issues.filter((issue) => !issue.settled).map(({ id }) => id));
  const lastRuling = items.findLast(({ type }) => type === 'RULING')?.seq ?? 0;
  const rows: Row[] = [];
  let run: Argument[] = [];
  const endRun = () => {
    rows.push(...rowsOfRun(run, unfolded));
    run = [];
  };
  for (const round of roundsIn(items)) {
    const settled = isSettledRound(round, unsettled, lastRuling);
    for (const argument of round) {
      // What was asked and decided stays in view.
      if (settled && argument.type === 'CLAIM' && argument.seq <= last.seq - KEPT) run.push(argument);
      else {
        endRun();
        rows.push(argument);
      }
    }
  }
  endRun();
  return rows;
}

/** A round begins with an argument of the opponent. */
function roundsIn(items: readonly Argument[]): Argument[][] {
  const rounds: Argument[][] = [];
  for (const item of items) {
    const current = rounds.at(-1);
    if (current === undefined || item.role === 'opponent') rounds.push([item]);
    else current.push(item);
  }
  return rounds;
}

function isSettledRound(
  round: readonly Argument[],
  unsettled: ReadonlySet<string>,
  lastRuling: number,
): boolean {
  const touched = round.flatMap(({ issue_changes = [] }) => issue_changes.map(({ issue }) => issue));
  if (touched.some((issue) => unsettled.has(issue))) return false;
  return touched.length > 0 || round.every(({ seq }) => seq <= lastRuling);
}

function rowsOfRun(run: readonly Argument[], unfolded: ReadonlySet<number>): readonly Row[] {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined || run.length < LEAST_FOLDED) return run;
  const open = run.some(({ seq }) => unfolded.has(seq));
  const fold: Fold = { first: first.seq, last: last.seq, open };
  return open ? [fold, ...run] : [fold];
}

export function isFold(row: Row): row is Fold {
  return 'open' in row;
}

/** The row that shows an argument, or that hides it; -1 if it is not loaded. */
export function rowOf(rows: readonly Row[], seq: number): number {
  const shown = rows.findIndex((row) => !isFold(row) && row.seq === seq);
  return shown >= 0 ? shown : rows.findIndex((row) => hides(row, seq));
}

export function hides(row: Row | undefined, seq: number): boolean {
  return row !== undefined && isFold(row) && !row.open && row.first <= seq && seq <= row.last;
}

/** The seqs to keep unfolded after somebody opened or closed a fold. */
export function toggled(unfolded: ReadonlySet<number>, { first, last, open }: Fold): ReadonlySet<number> {
  return open
    ? new Set([...unfolded].filter((seq) => seq < first || seq > last))
    : new Set([...unfolded, first]);
}
