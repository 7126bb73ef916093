import type { IssueChange } from '@/api/types';
import { type Translate, useT } from '@/i18n';
import { IssueLink } from '@/ui/IssueLink';

/** The changes of issues that an argument carries. Each leads to its issue. */
export function ChangeBadges({ changes }: { changes: readonly IssueChange[] }) {
  const t = useT();
  return (
    <ul aria-label={t('issues.changes')} className="mb-2 flex flex-wrap gap-1">
      {changes.map((change) => (
        <li
          key={change.issue}
          data-change={change.change}
          title={[change.title, change.note].filter(Boolean).join(' · ') || undefined}
          className="rounded-full border bg-background text-[11px] leading-4 font-semibold text-muted-foreground tabular-nums has-[a]:hover:bg-accent has-[a]:hover:text-foreground"
        >
          <IssueLink id={change.issue} className="block rounded-full px-2 py-0.5">
            {labelOf(t, change)}
          </IssueLink>
        </li>
      ))}
    </ul>
  );
}

function labelOf(t: Translate, { change, issue, severity }: IssueChange): string {
  if (change === 'raise') return `+${issue}`;
  const label = t('issues.change', { id: issue, change: t.label('change', change) });
  return severity === undefined ? label : `${label}: ${t.label('severity', severity)}`;
}
