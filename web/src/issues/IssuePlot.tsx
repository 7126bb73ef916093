import { useMemo } from 'react';
import { useT } from '@/i18n';
import { rounds } from './rounds';
import type { Histories } from './useIssueHistories';

/** Few rounds do not fill the width. */
const LEAST_SLOTS = 12;
const HEIGHT = 40;

/** Open and settled issues by round: a bar for each round, the settled ones at the bottom. */
export function IssuePlot({ histories }: { histories: Histories }) {
  const t = useT();
  const { data } = histories;
  const bars = useMemo(() => rounds(data ?? []), [data]);
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
          {t('issues.filter.unsettled')}
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
