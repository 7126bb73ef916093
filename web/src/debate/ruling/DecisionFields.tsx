import { Plus } from 'lucide-react';
import { useState } from 'react';
import { MAX_ISSUE_NOTE } from '@/api/limits';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { SeveritySelect, TextField } from '@/ui/fields';
import { type ChangeRules, type Decision, needs, nextSeverity } from './issueDecisions';

interface DecisionFieldsProps {
  issue: Issue;
  decision: Decision;
  rules: ChangeRules;
  /** The note of the chosen option. */
  ofOption: string | undefined;
  /** What options say where they make the same of the issue. */
  offered: readonly string[];
  /** Whether what it needs gets the focus. */
  focused: boolean;
  /** Whether the text of the ruling is a reason, where none is given here. */
  byWords: boolean;
  /** Whether a note that is not needed has its field, also while that is empty. */
  noteOpened: boolean;
  onOpenNote: () => void;
  onChange: (decision: Decision) => void;
}

/** What a decision on an issue needs or may have besides: a severity, a note. */
export function DecisionFields(props: DecisionFieldsProps) {
  const { issue, decision, rules, ofOption, offered, focused, byWords, noteOpened, onOpenNote, onChange } =
    props;
  const t = useT();
  const { change, severity, note } = decision;
  const [justOpened, setJustOpened] = useState(false);
  const needsWhy = needs('note', change, rules);
  const needsSeverity = needs('severity', change, rules);
  const hasNote = needsWhy || note !== '' || noteOpened;
  const asks = needsWhy && !byWords;
  const asked = asks ? 'ruling.issues.why' : needsWhy ? 'ruling.issues.why.words' : 'ruling.issues.note';
  // It is sent as the arbitrator's own.
  const label = note !== '' && note === ofOption ? 'ruling.issues.note.option' : asked;
  return (
    <>
      {!hasNote && (
        <Button
          variant="link"
          size="bare"
          aria-label={t('ruling.issues.note.add.of', { id: issue.id })}
          className="min-h-6 gap-1! rounded! text-xs [&_svg]:size-3.5!"
          onClick={() => {
            setJustOpened(true);
            onOpenNote();
          }}
        >
          <Plus aria-hidden />
          {t('ruling.issues.note.add')}
        </Button>
      )}
      {note === '' && offered.length > 0 && (
        <ul
          aria-label={t('ruling.issues.note.offered')}
          className="flex basis-full flex-wrap items-baseline gap-x-3 gap-y-1"
        >
          <li aria-hidden className="text-xs text-muted-foreground">
            {t('ruling.issues.note.offered')}:
          </li>
          {offered.map((text) => (
            <li key={text} className="min-w-0">
              <Button
                variant="link"
                size="bare"
                title={t('ruling.issues.note.take')}
                className="min-h-6 gap-1! rounded! text-start text-xs whitespace-normal! wrap-anywhere [&_svg]:size-3.5!"
                onClick={({ currentTarget }) => {
                  // The field takes the focus of the button, which goes.
                  setJustOpened(true);
                  currentTarget.closest('ul')?.parentElement?.querySelector('textarea')?.focus();
                  onOpenNote();
                  onChange({ ...decision, note: text });
                }}
              >
                <Plus aria-hidden />
                <span dir="auto">“{text}”</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {(needsSeverity || hasNote) && (
        <div className="flex basis-full flex-wrap gap-2">
          {needsSeverity && (
            <SeveritySelect
              value={severity ?? nextSeverity(issue)}
              except={issue.severity}
              autoFocus={focused}
              onChange={(chosen) => onChange({ ...decision, severity: chosen })}
            />
          )}
          {hasNote && (
            <TextField
              label={t(label)}
              of={issue.id}
              needed={asks ? t('ruling.issues.why.missing') : null}
              maxLength={MAX_ISSUE_NOTE}
              value={note}
              autoFocus={justOpened || (asks && focused)}
              onChange={(written) => {
                // Also once it is emptied.
                onOpenNote();
                onChange({ ...decision, note: written });
              }}
              className="basis-60"
            />
          )}
        </div>
      )}
    </>
  );
}
