import type { Issue, RulingChange } from '@/api/types';
import { useT } from '@/i18n';
import { SeverityBadge } from '@/issues/IssueHead';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { IssueLink } from '@/ui/IssueLink';
import { groupsOf, verbText } from './ruling/changeGroups';

interface DecidedTitlesProps {
  changes: readonly RulingChange[];
  find: (id: string) => Issue | undefined;
  /** The issues that the appeal refers and that the option leaves as they are. */
  undecided: readonly string[];
  /** What the ruling makes of an issue on which it decides otherwise, in a word; else undefined. */
  madeOf: (id: string) => string | undefined;
}

/** What the chosen option makes of many issues, by their titles, those together of which the same becomes. */
export function DecidedTitles({ changes, find, undecided, madeOf }: DecidedTitlesProps) {
  const t = useT();
  const groups = groupsOf(changes.map(({ note: _, ...change }) => ({ key: change.issue ?? '', change }))).map(
    ({ keys, change }) => [verbText(t, change), keys, t.find(`decide.${change.change}.does`)] as const,
  );
  const all =
    undecided.length === 0
      ? groups
      : [...groups, [t('ruling.options.undecided'), undecided, undefined] as const];
  return (
    <span data-decides className="mt-1 block text-xs font-normal">
      {all.map(([verb, ids, means]) => (
        <span key={verb} className="mt-0.5 block">
          <span className="font-semibold text-arbitrator">{verb}</span>
          {means && <span className="text-muted-foreground">: {means}</span>}{' '}
          {ids.map((id) => {
            const issue = find(id);
            const made = madeOf(id);
            return (
              <span key={id} dir="auto" className="flex min-h-6 items-baseline gap-1.5 pl-2">
                <IssueLink id={id} className="link shrink-0 rounded font-mono font-semibold">
                  {id}
                </IssueLink>{' '}
                {issue && <SeverityBadge severity={issue.severity} />}{' '}
                <span className="min-w-0 wrap-anywhere">
                  <span className={cn(made !== undefined && 'line-through')}>
                    <InlineText text={issue?.title ?? ''} />
                  </span>
                  {made !== undefined && <span className="font-semibold text-arbitrator"> {made}</span>}
                </span>
              </span>
            );
          })}
        </span>
      ))}
    </span>
  );
}
