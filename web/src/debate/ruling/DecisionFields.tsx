import { MAX_ISSUE_NOTE } from '@/api/limits';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { SeveritySelect, TextField } from '@/ui/fields';
import { type ChangeRules, type Decision, needs, nextSeverity } from './issueDecisions';

interface DecisionFieldsProps {
  issue: Issue;
  decision: Decision;
  rules: ChangeRules;
  /** The note of the chosen option. */
  ofOption: string | undefined;
  /** Whether what it needs gets the focus. */
  focused: boolean;
  onChange: (decision: Decision) => void;
}

/** What a decision on an issue needs or may have besides: a severity, a note. */
export function DecisionFields({ issue, decision, rules, ofOption, focused, onChange }: DecisionFieldsProps) {
  const t = useT();
  const { change, severity, note } = decision;
  const needsWhy = needs('note', change, rules);
  const asked = needsWhy ? 'ruling.issues.why' : 'ruling.issues.note';
  // It is sent as the arbitrator's own.
  const label = note !== '' && note === ofOption ? 'ruling.issues.note.option' : asked;
  return (
    <div className="mt-1.5 flex flex-wrap gap-2">
      {needs('severity', change, rules) && (
        <SeveritySelect
          value={severity ?? nextSeverity(issue)}
          except={issue.severity}
          autoFocus={focused}
          onChange={(chosen) => onChange({ ...decision, severity: chosen })}
        />
      )}
      <TextField
        label={t(label)}
        of={issue.id}
        needed={needsWhy ? t('ruling.issues.why.missing') : null}
        maxLength={MAX_ISSUE_NOTE}
        value={note}
        autoFocus={needsWhy && focused}
        onChange={(written) => onChange({ ...decision, note: written })}
        className="basis-60"
      />
    </div>
  );
}
