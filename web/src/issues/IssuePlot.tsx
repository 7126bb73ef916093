import { useMemo } from 'react';
import type { Issue } from '@/api/types';
import { useInfo } from '@/api/useInfo';
import { useT } from '@/i18n';
import { type LedgerSource, useLedger } from './useLedger';

/** Few rounds do not fill the width. */
const LEAST_SLOTS = 12;
const HEIGHT = 40;

/** Open and settled issues by round: a bar for each round, the settled ones at the bottom. */
export function IssuePlot({ source }: { source: LedgerSource }) {
  const t = useT();
  const { data } = useLedger(source);
  const rules = useInfo()?.issue_changes;
  const bars = useMemo(
    () => (rules === undefined ? [] : rounds(data ?? [], (change) => rules[change]?.settles === true)),
    [data, rules],
  );
  const tallest = Math.max(1, ...bars.map(({ unsettled, settled }) => unsettled + settled));
  const height = (count: number) => (count / tallest) * HEIGHT;
  const text = bars.map(({ firstSeq, lastSeq, unsettled, settled }) =>
    t('issues.plot.round', { first: firstSeq, last: lastSeq, unsettled, settled }),
  );
  const slots = Math.max(LEAST_SLOTS, bars.length);
  return (
    <figure className="px-4 pb-2">
      <svg
        aria-hidden
        viewBox={`0 0 ${slots * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-10 w-full border-b"
      >
        {bars.map(({ firstSeq, unsettled, settled }, index) => (
          <g key={firstSeq}>
            <title>{text[index]}</title>
            <rect
              x={index * 10 + 1}
              width={8}
              y={HEIGHT - height(unsettled + settled)}
              height={height(unsettled)}
              className="fill-foreground/65"
            />
            <rect
              x={index * 10 + 1}
              width={8}
              y={HEIGHT - height(settled)}
              height={height(settled)}
              className="fill-success/50"
            />
          </g>
        ))}
      </svg>
      <figcaption className="mt-1.5 flex flex-wrap items-center gap-x-3 text-xs text-muted-foreground">
        <span className="flex items-center gap-1.5">
          <span aria-hidden className="size-2 rounded-xs bg-foreground/65" />
          {t('status.unsettled')}
        </span>
        <span className="flex items-center gap-1.5">
          <span aria-hidden className="size-2 rounded-xs bg-success/50" />
          {t('issues.settled')}
        </span>
        <span className="ml-auto">{t('issues.plot')}</span>
      </figcaption>
      {bars.length > 0 && (
        <ol aria-label={t('issues.plot')} className="sr-only">
          {bars.map(({ firstSeq }, index) => (
            <li key={firstSeq}>{text[index]}</li>
          ))}
        </ol>
      )}
    </figure>
  );
}

/** How the issues stood at the end of a round. */
export interface Round {
  /** The argument that began the round: the opponent's, or the first that raised an issue. */
  firstSeq: number;
  lastSeq: number;
  unsettled: number;
  settled: number;
}

/**
 * How many issues were settled and not settled, round by round. A round begins with each argument of the opponent that
 * changed issues. The issues need their histories.
 */
export function rounds(issues: readonly Issue[], settles: (change: string) => boolean): Round[] {
  const changes = issues
    .flatMap(({ id, history = [] }) => history.map(({ seq, role, change }) => ({ id, seq, role, change })))
    .sort((a, b) => a.seq - b.seq);
  const unsettled = new Set<string>();
  const settled = new Set<string>();
  const found: Round[] = [];
  for (const { id, seq, role, change } of changes) {
    // Of what is settled, only what opens it again can be made.
    if (settles(change)) move(id, unsettled, settled);
    else move(id, settled, unsettled);
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
