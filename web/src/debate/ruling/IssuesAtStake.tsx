import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { SeveritySelect, TextField } from '@/ui/fields';
import { IconButton } from '@/ui/iconButton';
import { ChangeFaultText } from './ChangeFaultText';
import { IssueAtStake } from './IssueAtStake';
import {
  type ChangeFault,
  type IssueDecisions,
  MAX_CHANGES,
  type NewIssue,
  withDecision,
  withNewIssue,
} from './issueDecisions';

const FIRST_ISSUES = 3;
/** Each has many controls: hundreds of them at once would block the page. */
const MORE_ISSUES = 20;

interface IssuesAtStakeProps {
  debateId: string;
  /** Those that are not settled. */
  issues: readonly Issue[];
  value: IssueDecisions;
  fault: ChangeFault | null;
  tooMany: boolean;
  onChange: (value: IssueDecisions, key: string) => void;
}

/** The issues on which the ruling may decide, those that the appeal refers to whole, and those that it raises. */
export function IssuesAtStake({ debateId, issues, value, fault, tooMany, onChange }: IssuesAtStakeProps) {
  const t = useT();
  const referred = issues.some((issue) => issue.referred);
  const [most, setMost] = useState(0);
  const raiseButton = useRef<HTMLButtonElement>(null);
  // A new issue gets the focus, one from the draft does not.
  const [former] = useState(() => new Set(value.raised.map(({ key }) => key)));
  const offered = most + (referred ? 0 : FIRST_ISSUES);
  const shown = issues.filter(
    (issue, index) => issue.referred || index < offered || Object.hasOwn(value.decisions, issue.id),
  );
  const hidden = issues.length - shown.length;

  function replace(key: string, issue: NewIssue | null) {
    const raised = value.raised.flatMap((one) => (one.key !== key ? one : (issue ?? [])));
    // The control that had the focus is removed with the new issue.
    if (issue === null) raiseButton.current?.focus();
    onChange({ decisions: value.decisions, raised }, key);
  }

  return (
    <section aria-label={t('ruling.issues')} className="mt-6">
      {issues.length > 0 && (
        <h3 className="mb-2 text-sm font-semibold">
          {t(referred ? 'ruling.issues.referred' : 'ruling.issues')}
        </h3>
      )}
      <ul className="grid gap-2">
        {shown.map((issue) => (
          <IssueAtStake
            key={issue.id}
            debateId={debateId}
            issue={issue}
            decision={value.decisions[issue.id] ?? null}
            fault={fault?.key === issue.id ? fault : null}
            onDecide={(decision) => onChange(withDecision(value, issue.id, decision), issue.id)}
          />
        ))}
        {value.raised.map((issue) => (
          <NewIssueRow
            key={issue.key}
            issue={issue}
            added={!former.has(issue.key)}
            fault={fault?.key === issue.key ? fault : null}
            onChange={(changed) => replace(issue.key, changed)}
          />
        ))}
      </ul>
      {tooMany && (
        <p role="alert" className="mt-1 text-[13px] text-destructive">
          {t('ruling.issues.tooMany', { n: MAX_CHANGES })}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {hidden > 0 && (
          <Button size="sm" onClick={() => setMost(shown.length + MORE_ISSUES)}>
            {t('ruling.issues.more', { n: Math.min(hidden, MORE_ISSUES) })}
          </Button>
        )}
        <Button ref={raiseButton} size="sm" variant="ghost" onClick={() => onChange(withNewIssue(value), '')}>
          <Plus aria-hidden />
          {t('ruling.raise')}
        </Button>
      </div>
    </section>
  );
}

interface NewIssueRowProps {
  issue: NewIssue;
  /** Whether it was added just now: it then gets the focus. */
  added: boolean;
  fault: ChangeFault | null;
  /** Null removes it. */
  onChange: (issue: NewIssue | null) => void;
}

/** An issue that the ruling raises. */
function NewIssueRow({ issue, added, fault, onChange }: NewIssueRowProps) {
  const t = useT();
  return (
    <li data-new-issue className="rounded-xl border px-3.5 py-3">
      <fieldset className="flex flex-wrap items-start gap-2">
        <legend className="sr-only">{t('ruling.raise.label')}</legend>
        <SeveritySelect value={issue.severity} onChange={(severity) => onChange({ ...issue, severity })} />
        <TextField
          label={t('ruling.raise.title')}
          needed={t('ruling.raise.untitled')}
          maxLength={200}
          value={issue.title}
          // One that is raised in the plan leaves the focus there.
          autoFocus={added && document.activeElement?.closest('aside') == null}
          onChange={(title) => onChange({ ...issue, title })}
          className="basis-60"
        />
        <TextField
          label={t('ruling.raise.location')}
          maxLength={300}
          value={issue.location}
          onChange={(location) => onChange({ ...issue, location })}
          className="basis-40 font-mono"
        />
        <IconButton icon={X} size="tiny" label={t('ruling.raise.remove')} onClick={() => onChange(null)} />
      </fieldset>
      <ChangeFaultText fault={fault} />
    </li>
  );
}
