import { useState } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { DecisionRow } from './DecisionRow';
import {
  type ChangeFault,
  type IssueDecisions,
  MAX_CHANGES,
  type NewIssue,
  undecided,
  withDecision,
} from './issueDecisions';
import { NewIssueRow } from './NewIssueRow';

const FIRST_ISSUES = 3;
/** Rows have many controls: hundreds of them at once would block the page. */
const MORE_ISSUES = 20;

interface IssueDecisionListProps {
  issues: readonly Issue[];
  value: IssueDecisions;
  fault: ChangeFault | null;
  tooMany: boolean;
  disabled: boolean;
  onChange: (value: IssueDecisions, key: string) => void;
}

/** What the ruling makes of each issue that is not settled, and the issues that it raises. */
export function IssueDecisionList(props: IssueDecisionListProps) {
  const { issues, value, fault, tooMany, disabled, onChange } = props;
  const t = useT();
  const [most, setMost] = useState(FIRST_ISSUES);
  // A new issue gets the focus, one from the draft does not.
  const [former] = useState(() => new Set(value.raised.map(({ key }) => key)));
  const offered = undecided(issues);
  // A button is not smaller than the one issue that it would show.
  const first = offered.length === most + 1 ? offered.length : most;
  const shown = offered.filter(
    ({ id, referred }, index) => index < first || referred || Object.hasOwn(value.decisions, id),
  );
  const hidden = offered.length - shown.length;

  function replace(key: string, issue: NewIssue | null) {
    const raised = value.raised.flatMap((one) => (one.key !== key ? one : (issue ?? [])));
    onChange({ decisions: value.decisions, raised }, key);
  }

  if (shown.length + value.raised.length === 0) return null;
  return (
    <fieldset disabled={disabled} aria-label={t('ruling.issues')} className="mt-2.5">
      <ul className="divide-y rounded-xl border bg-background sm:max-h-[30dvh] sm:overflow-y-auto">
        {shown.map((issue) => (
          <DecisionRow
            key={issue.id}
            issue={issue}
            decision={value.decisions[issue.id] ?? null}
            fault={fault?.key === issue.id ? fault : null}
            onDecide={(decision) => onChange(withDecision(value, issue.id, decision), issue.id)}
          />
        ))}
        {hidden > 0 && (
          <li className="px-3 py-2">
            <Button
              variant="link"
              size="bare"
              className="text-[13px]"
              onClick={() => setMost(most + MORE_ISSUES)}
            >
              {t('ruling.issues.more', { n: Math.min(hidden, MORE_ISSUES) })}
            </Button>
          </li>
        )}
        {value.raised.map((issue) => (
          <NewIssueRow
            key={issue.key}
            issue={issue}
            added={!former.has(issue.key)}
            fault={fault?.key === issue.key ? fault : null}
            onChange={(changed) => replace(issue.key, changed)}
            onRemove={() => replace(issue.key, null)}
          />
        ))}
      </ul>
      {tooMany && (
        <p role="alert" className="mt-1 text-[13px] text-destructive">
          {t('ruling.issues.tooMany', { n: MAX_CHANGES })}
        </p>
      )}
    </fieldset>
  );
}
