import { useContext, useState } from 'react';
import type { IssueChange } from '@/api/types';
import { useT } from '@/i18n';
import { firstOf } from '@/lib/firstOf';
import { Button } from '@/ui/button';
import { InlineText } from '@/ui/InlineText';
import { IssueLink, IssueLinksContext } from '@/ui/IssueLink';
import { SeverityBadge } from './IssueHead';
import { NoteText } from './NoteText';

/** So many are read at once. */
const FIRST = 20;

interface ChangeBadgesProps {
  changes: readonly IssueChange[];
  /** The number of the argument. */
  seq: number;
}

/** The changes of issues that an argument carries: each leads to its issue, and says what it is about, how severe that was then, and why. */
export function ChangeBadges({ changes, seq }: ChangeBadgesProps) {
  const t = useT();
  const links = useContext(IssueLinksContext);
  const [all, setAll] = useState(false);
  const shown = all ? changes : firstOf(changes, FIRST);
  const more = changes.length - shown.length;
  return (
    <ul aria-label={t('issues.changes')} className="mb-2.5 grid grid-cols-1 gap-1.5">
      {shown.map((change) => {
        const issue = links?.find(change.issue);
        const severity = change.severity ?? links?.severityAt?.(change.issue, seq) ?? issue?.severity;
        const title = change.title ?? issue?.title ?? '';
        return (
          <li key={change.issue} data-change={change.change} className="text-[13px]">
            <div className="leading-6 wrap-anywhere *:mr-1.5">
              <span className="inline-block rounded-full border bg-background text-[11px] leading-4 font-semibold text-muted-foreground tabular-nums has-[a]:hover:bg-accent has-[a]:hover:text-foreground">
                <IssueLink id={change.issue} className="block rounded-full px-2 py-0.5">
                  {change.issue} {t.label('change', change.change)}
                </IssueLink>
              </span>
              {severity !== undefined && <SeverityBadge severity={severity} />}
              <span dir="auto">
                <InlineText text={title} />
              </span>
            </div>
            {change.note !== undefined && (
              <p dir="auto" className="mt-0.5 ml-2 border-l-2 pl-2.5 text-muted-foreground">
                <NoteText text={change.note} />
              </p>
            )}
          </li>
        );
      })}
      {more > 0 && (
        <li>
          <Button variant="link" size="bare" className="text-[13px]" onClick={() => setAll(true)}>
            {t('issues.changes.more', { n: more })}
          </Button>
        </li>
      )}
    </ul>
  );
}
