import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { IssueMarks } from '@/issues/IssueMarks';
import { SeverityBadge } from '@/issues/SeverityBadge';
import { StatusLabel } from '@/issues/StatusLabel';
import { cn } from '@/ui/cn';
import { IssueLink } from '@/ui/IssueLink';
import { ChangeFaultText } from './ChangeFaultText';
import type { ChangeFault, Decision } from './issueDecisions';

const CHOICES = [
  ['leave', 'ruling.issues.leave'],
  ['uphold', 'ruling.issues.uphold'],
  ['dismiss', 'ruling.issues.dismiss'],
] as const;

interface DecisionRowProps {
  issue: Issue;
  decision: Decision | null;
  fault: ChangeFault | null;
  onDecide: (decision: Decision | null) => void;
}

/** One issue, and what the ruling makes of it. */
export function DecisionRow({ issue, decision, fault, onDecide }: DecisionRowProps) {
  const t = useT();
  const { id, severity, title, status } = issue;
  const chosen = decision?.change ?? 'leave';
  return (
    <li data-decide={id} className="px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <div className="min-w-0 flex-1 basis-64">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <IssueLink
              id={id}
              className="rounded font-mono text-xs font-semibold text-foreground underline decoration-dotted underline-offset-3"
            >
              {id}
            </IssueLink>
            <SeverityBadge severity={severity} />
            <StatusLabel status={status} />
            <IssueMarks issue={issue} />
          </div>
          <p dir="auto" title={title} className="mt-0.5 line-clamp-2 text-sm wrap-anywhere">
            {title}
          </p>
        </div>
        <fieldset className="flex rounded-lg border bg-card p-0.5">
          <legend className="sr-only">{t('ruling.issues.decision', { id })}</legend>
          {CHOICES.map(([change, label]) => (
            <label
              key={change}
              className={cn(
                'relative cursor-pointer rounded-md px-2.5 py-1 text-[13px] font-medium transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-arbitrator',
                change === chosen
                  ? change === 'leave'
                    ? 'bg-accent text-foreground'
                    : 'bg-arbitrator-soft text-arbitrator'
                  : 'text-muted-foreground hover:text-foreground',
              )}
            >
              <input
                type="radio"
                name={`decision-${id}`}
                className="sr-only"
                checked={change === chosen}
                onChange={() => onDecide(change === 'leave' ? null : { change, note: decision?.note ?? '' })}
              />
              {t(label)}
            </label>
          ))}
        </fieldset>
      </div>
      {decision !== null && (
        <input
          type="text"
          dir="auto"
          maxLength={1000}
          aria-label={t('ruling.issues.note', { id })}
          placeholder={t('ruling.issues.note.short')}
          value={decision.note}
          onChange={(event) => onDecide({ ...decision, note: event.target.value })}
          className="mt-2 h-8 w-full rounded-lg border border-border bg-card px-2.5 text-[13px] placeholder:text-muted-foreground focus-visible:outline-offset-0"
        />
      )}
      <ChangeFaultText fault={fault} />
    </li>
  );
}
