import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { MAX_ISSUE_LOCATION, MAX_ISSUE_TITLE } from '@/api/limits';
import { useT } from '@/i18n';
import { IconButton } from '@/ui/button';
import { SeveritySelect, TextField } from '@/ui/fields';
import { ChangeFaultText } from './ChangeFaultText';
import type { ChangeFault, NewIssue } from './issueDecisions';

interface NewIssueRowProps {
  issue: NewIssue;
  /** The id that it will have; null until the server has told it. */
  id: string | null;
  /** Whether it was added just now: it then gets the focus. */
  added: boolean;
  fault: ChangeFault | null;
  /** Null removes it. */
  onChange: (issue: NewIssue | null) => void;
}

/** An issue that the ruling raises. */
export function NewIssueRow({ issue, id, added, fault, onChange }: NewIssueRowProps) {
  const t = useT();
  const row = useRef<HTMLLIElement>(null);
  // One that is raised in the plan leaves the focus there.
  const [focused] = useState(() => added && document.activeElement?.closest('aside') == null);
  useEffect(() => {
    if (focused) row.current?.scrollIntoView({ block: 'nearest' });
  }, [focused]);
  return (
    <li ref={row} data-new-issue className="relative rounded-xl border px-3.5 py-3">
      <fieldset className="flex flex-wrap items-start gap-2">
        <legend className="float-left mb-1 w-full text-xs text-muted-foreground">
          {id !== null && <span className="mr-1.5 font-mono font-semibold text-foreground">{id}</span>}
          {t('ruling.raise.label')}
        </legend>
        <SeveritySelect value={issue.severity} onChange={(severity) => onChange({ ...issue, severity })} />
        <TextField
          label={t('ruling.raise.title')}
          needed={t('ruling.raise.untitled')}
          maxLength={MAX_ISSUE_TITLE}
          value={issue.title}
          autoFocus={focused}
          onChange={(title) => onChange({ ...issue, title })}
          className="basis-60"
        />
        <TextField
          label={t('ruling.raise.location')}
          maxLength={MAX_ISSUE_LOCATION}
          value={issue.location}
          onChange={(location) => onChange({ ...issue, location })}
          className="basis-40"
        />
        <IconButton
          icon={X}
          size="tiny"
          label={t('ruling.raise.remove')}
          className="absolute! top-1.5 right-1.5"
          onClick={() => onChange(null)}
        />
      </fieldset>
      <ChangeFaultText fault={fault} />
    </li>
  );
}
