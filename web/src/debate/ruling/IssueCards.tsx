import { ChevronRight, Plus } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { MAX_ISSUE_CHANGES } from '@/api/limits';
import { type Issue, SIDES } from '@/api/types';
import { useT } from '@/i18n';
import { useSelected } from '@/lib/store';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { ChangeLegend } from './ChangeLegend';
import { DecideAll } from './DecideAll';
import type { DecisionModel } from './decisionModel';
import { IssueCard } from './IssueCard';
import { type ChangeFault, type NewIssue, orderedChoices, withNewIssue } from './issueDecisions';
import { NewIssueRow } from './NewIssueRow';
import { usePreview } from './preview';
import { type PlaceOfWords, rolesWithLastWords } from './sideText';
import { clearFault } from './undo/unsentRulings';

const NONE = [] as const;
const FIRST_ISSUES = 3;
/** Each has many controls: hundreds of them at once would block the page. */
const MORE_ISSUES = 20;

interface IssueCardsProps {
  model: DecisionModel;
  /** Where the last words of the sides stand, and the issues that are named there. */
  words: PlaceOfWords;
  named: readonly Issue[];
  /** Where a table has what the options make of them, the cards are shown on demand. */
  folding: { folded: boolean; onFold: (folded: boolean) => void } | null;
  fault: ChangeFault | null;
}

/** The issues on which the ruling may decide, those that the appeal refers to whole, and those that it raises. */
export function IssueCards({ model, words, named, folding, fault }: IssueCardsProps) {
  const t = useT();
  const { debate, request, stored, change } = model;
  const { issues } = request;
  const raised = useSelected(stored, (draft) => draft.raised);
  const decided = useSelected(stored, ({ decisions }) => Object.keys(decisions).join(' '))
    .split(' ')
    .filter(Boolean);
  const { newIds } = usePreview(model);
  const referred = issues.filter((issue) => issue.referred);
  const [most, setMost] = useState(0);
  const raiseButton = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  // A new issue gets the focus, one from the draft does not.
  const [former] = useState(() => new Set(raised.map(({ key }) => key)));
  const offered = most + (referred.length > 0 ? 0 : FIRST_ISSUES);
  const shown = issues.filter(
    ({ id, referred, settled }, index) =>
      referred || index < most || (!settled && index < offered) || decided.includes(id),
  );
  const hidden = issues.length - shown.length;
  const withSides = useMemo(() => rolesWithLastWords(request.sides, issues), [request.sides, issues]);
  const isNamed = (id: string) => words === 'titles' && named.some((issue) => issue.id === id);
  const saidAbove = ({ id, referred }: Issue) =>
    isNamed(id) ? SIDES : words === 'sides' && referred ? withSides : NONE;
  // What is refused is told at its card.
  const folded = folding?.folded === true && !issues.some(({ id }) => id === fault?.key);
  const tooMany = decided.length + raised.length > MAX_ISSUE_CHANGES;

  // What is settled can only be opened again.
  const open = issues.some(({ settled }) => !settled);
  const heading =
    referred.length > 0 ? 'ruling.issues.referred' : open ? 'ruling.issues' : 'ruling.issues.settled';

  // With options that decide, it is said there.
  const isExplained = request.argument.options?.some(({ issue_changes }) => issue_changes?.length) === true;
  const offeredChanges = isExplained ? [] : shown.flatMap((issue) => orderedChoices(issue, model.rules));

  function replace(key: string, issue: NewIssue | null) {
    // The control that had the focus is removed with the new issue.
    if (issue === null) raiseButton.current?.focus();
    if (fault?.key === key) clearFault(debate.id);
    change({ raised: stored.get().raised.flatMap((one) => (one.key !== key ? one : (issue ?? []))) });
  }

  /** The button may go with what it shows. */
  function showMore() {
    const before = new Set(shown.map(({ id }) => id));
    flushSync(() => setMost(shown.length + MORE_ISSUES));
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-decide]') ?? [])];
    const first = rows.find((row) => !before.has(row.dataset.decide ?? ''));
    first?.querySelector<HTMLElement>('input, button, select')?.focus();
  }

  return (
    <section aria-label={t('ruling.issues')}>
      {issues.length > 0 && (
        <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h3 className="mr-auto text-sm font-semibold">
            {folding === null ? (
              t(heading)
            ) : (
              <Button
                variant="link"
                size="bare"
                aria-expanded={!folded}
                className="min-h-8 gap-1.5! rounded! text-foreground! max-sm:min-h-11"
                onClick={() => folding.onFold(!folded)}
              >
                <ChevronRight aria-hidden className={cn('text-muted-foreground', !folded && 'rotate-90')} />
                {t('ruling.issues.each')}
              </Button>
            )}
          </h3>
          <DecideAll model={model} issues={referred.length > 0 ? referred : shown} />
          <ChangeLegend label="decide" changes={offeredChanges} />
        </div>
      )}
      <ul ref={list} className="grid grid-cols-1 gap-1.5 empty:hidden">
        {(folded ? NONE : shown).map((issue) => (
          <IssueCard
            key={issue.id}
            model={model}
            issue={issue}
            saysReferred={!shown.every(({ referred }) => referred)}
            saidAbove={saidAbove(issue)}
            historyAbove={isNamed(issue.id)}
            fault={fault?.key === issue.id ? fault : null}
          />
        ))}
        {raised.map((issue, index) => (
          <NewIssueRow
            key={issue.key}
            issue={issue}
            id={newIds[index] ?? null}
            added={!former.has(issue.key)}
            fault={fault?.key === issue.key ? fault : null}
            onChange={(changed) => replace(issue.key, changed)}
          />
        ))}
      </ul>
      {tooMany && (
        <p role="alert" className="mt-1 text-[13px] text-destructive">
          {t('ruling.issues.tooMany', { n: MAX_ISSUE_CHANGES })}
        </p>
      )}
      <div className="flex flex-wrap gap-2 not-first:mt-2">
        {hidden > 0 && !folded && (
          <Button size="sm" onClick={showMore}>
            {t('ruling.issues.more', { n: Math.min(hidden, MORE_ISSUES) })}
          </Button>
        )}
        <Button ref={raiseButton} size="sm" onClick={() => change(withNewIssue(stored.get()))}>
          <Plus aria-hidden />
          {t('ruling.raise')}
        </Button>
      </div>
    </section>
  );
}
