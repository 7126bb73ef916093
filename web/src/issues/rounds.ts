import type { Issue } from '@/api/types';

/** How the issues stood at the end of a round. */
export interface Round {
  /** The argument that began the round: the opponent's, or the first that raised an issue. */
  firstSeq: number;
  lastSeq: number;
  unsettled: number;
  settled: number;
}

const SETTLING = new Set(['resolve', 'withdraw', 'dismiss', 'defer']);
const UNSETTLING = new Set(['raise', 'reopen']);

/**
 * How many issues were settled and not settled, round by round. A round begins with each argument of the opponent that
 * changed issues. The issues need their histories.
 */
export function rounds(issues: readonly Issue[]): Round[] {
  const changes = issues
    .flatMap(({ id, history = [] }) => history.map(({ seq, role, change }) => ({ id, seq, role, change })))
    .sort((a, b) => a.seq - b.seq);
  const unsettled = new Set<string>();
  const settled = new Set<string>();
  const found: Round[] = [];
  for (const { id, seq, role, change } of changes) {
    if (SETTLING.has(change)) move(id, unsettled, settled);
    else if (UNSETTLING.has(change)) move(id, settled, unsettled);
    const current = found.at(-1);
    const begins = current === undefined || (role === 'opponent' && seq !== current.lastSeq);
    const round = {
      firstSeq: begins ? seq : current.firstSeq,
      lastSeq: seq,
      unsettled: unsettled.size,
      settled: settled.size,
    };
    found.splice(begins ? found.length : -1, 1, round);
  }
  return found;
}

function move(id: string, from: Set<string>, to: Set<string>): void {
  from.delete(id);
  to.add(id);
}
