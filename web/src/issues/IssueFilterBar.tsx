import type { Issue, IssueCounts } from '@/api/types';
import { type Translate, useT } from '@/i18n';
import { cn } from '@/ui/cn';
import { countAll, statusesIn } from './ledger';

interface IssueFilterBarProps {
  counts: IssueCounts;
  filter: IssueFilter;
  onFilter: (filter: IssueFilter) => void;
}

export function IssueFilterBar({ counts, filter, onFilter }: IssueFilterBarProps) {
  const t = useT();
  return (
    <fieldset className="flex flex-wrap gap-1 border-b px-4 pb-3">
      <legend className="sr-only">{t('issues.filter')}</legend>
      {filtersFor(counts, filter).map((choice) => {
        const count = countOf(counts, choice);
        return (
          <label
            key={choice}
            className={cn(
              'relative cursor-pointer rounded-full border px-2 py-0.5 text-xs font-medium transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-arbitrator',
              choice === filter
                ? 'border-foreground bg-foreground text-background'
                : 'bg-card hover:bg-accent',
            )}
          >
            <input
              type="radio"
              name="issue-filter"
              className="sr-only"
              checked={choice === filter}
              onChange={() => onFilter(choice)}
            />
            {filterLabel(t, choice)} <span className="tabular-nums">{count}</span>
          </label>
        );
      })}
    </fieldset>
  );
}

function filterLabel(t: Translate, filter: IssueFilter): string {
  if (filter === 'all') return t('issues.filter.all');
  return filter === 'unsettled' ? t('issues.filter.unsettled') : t.label('status', filter);
}

export type IssueFilter = 'all' | keyof IssueCounts;

/** All, those that are not settled, and those in each status in which there are any, or which is chosen. */
export function filtersFor(counts: IssueCounts, chosen: IssueFilter): readonly IssueFilter[] {
  const statuses = statusesIn(counts).filter((status) => counts[status] > 0 || status === chosen);
  return ['all', 'unsettled', ...statuses];
}

export function matches(issue: Issue, filter: IssueFilter): boolean {
  if (filter === 'all') return true;
  return filter === 'unsettled' ? !issue.settled : issue.status === filter;
}

export function countOf(counts: IssueCounts, filter: IssueFilter): number {
  return filter === 'all' ? countAll(counts) : counts[filter];
}

/** What is shown first: the issues that are not settled, or all if every issue is settled. */
export function firstFilter(counts: IssueCounts): IssueFilter {
  return countAll(counts) > 0 && counts.unsettled === 0 ? 'all' : 'unsettled';
}
