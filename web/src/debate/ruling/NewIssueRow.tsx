import { X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useT } from '@/i18n';
import { IconButton } from '@/ui/iconButton';
import { ChangeFaultText } from './ChangeFaultText';
import { type ChangeFault, type NewIssue, SEVERITIES } from './issueDecisions';

export const FIELD =
  'h-8 min-w-0 rounded-lg border border-border bg-card px-2.5 text-[13px] placeholder:text-muted-foreground focus-visible:outline-offset-0';

interface NewIssueRowProps {
  issue: NewIssue;
  /** Whether it was added just now: it then gets the focus. */
  added: boolean;
  fault: ChangeFault | null;
  onChange: (issue: NewIssue) => void;
  onRemove: () => void;
}

/** An issue that the ruling raises. */
export function NewIssueRow({ issue, added, fault, onChange, onRemove }: NewIssueRowProps) {
  const t = useT();
  const hintId = useId();
  const titleField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // One that is raised in the plan leaves the focus there.
    const inPanel = document.activeElement?.closest('aside') ?? null;
    if (added && inPanel === null) titleField.current?.focus();
  }, [added]);
  const untitled = issue.title.trim() === '';
  return (
    <li data-new-issue className="rounded-xl border px-3.5 py-3">
      <fieldset className="flex flex-wrap items-center gap-2">
        <legend className="sr-only">{t('ruling.raise.label')}</legend>
        <SeveritySelect value={issue.severity} onChange={(severity) => onChange({ ...issue, severity })} />
        <input
          ref={titleField}
          type="text"
          dir="auto"
          required
          maxLength={200}
          aria-label={t('ruling.raise.title')}
          aria-describedby={untitled ? hintId : undefined}
          placeholder={t('ruling.raise.title')}
          value={issue.title}
          onChange={(event) => onChange({ ...issue, title: event.target.value })}
          className={`${FIELD} flex-1 basis-60`}
        />
        <input
          type="text"
          dir="auto"
          maxLength={300}
          aria-label={t('ruling.raise.location')}
          placeholder={t('ruling.raise.location')}
          value={issue.location}
          onChange={(event) => onChange({ ...issue, location: event.target.value })}
          className={`${FIELD} flex-1 basis-40 font-mono`}
        />
        <IconButton icon={X} size="tiny" label={t('ruling.raise.remove')} onClick={onRemove} />
      </fieldset>
      {untitled && (
        <p id={hintId} className="mt-1 text-xs text-muted-foreground">
          {t('ruling.raise.untitled')}
        </p>
      )}
      <ChangeFaultText fault={fault} />
    </li>
  );
}

interface SeveritySelectProps {
  value: NewIssue['severity'];
  /** One that is not offered. */
  except?: string;
  onChange: (severity: NewIssue['severity']) => void;
}

export function SeveritySelect({ value, except, onChange }: SeveritySelectProps) {
  const t = useT();
  return (
    <select
      aria-label={t('ruling.raise.severity')}
      value={value}
      onChange={({ target }) => onChange(target.value as NewIssue['severity'])}
      className={FIELD}
    >
      {SEVERITIES.filter((severity) => severity !== except).map((severity) => (
        <option key={severity} value={severity}>
          {t.label('severity', severity)}
        </option>
      ))}
    </select>
  );
}
