import { Fragment } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { InlineText } from '@/ui/InlineText';
import { IssueLink } from '@/ui/IssueLink';

/** The panel has the others. */
const NAMED = 3;

/** What the sides still argue about, by its titles: first what keeps the proposer from finishing. Nothing if all is settled. */
export function UnsettledLine({ issues }: { issues: readonly Issue[] }) {
  const t = useT();
  const unsettled = issues
    .filter(({ settled }) => !settled)
    .toSorted((a, b) => Number(b.blocking) - Number(a.blocking));
  if (unsettled.length === 0) return null;
  const more = unsettled.length - NAMED;
  return (
    <p data-unsettled className="line-clamp-2 text-[13px] leading-snug wrap-anywhere">
      <span className="text-muted-foreground">{t('issues.unsettled.line')}</span>{' '}
      {unsettled.slice(0, NAMED).map(({ id, title, upheld }, index) => (
        <Fragment key={id}>
          {index > 0 && ' · '}
          <IssueLink id={id} className="link rounded font-mono text-xs font-semibold">
            {id}
          </IssueLink>{' '}
          <span dir="auto">
            <InlineText text={title} />
          </span>
          {upheld && ` (${t('change.uphold')})`}
        </Fragment>
      ))}
      {more > 0 && ` · ${t('ruling.left.more', { n: more })}`}
    </p>
  );
}
