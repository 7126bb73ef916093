import { useState } from 'react';
import type { AppealOption, Issue } from '@/api/types';
import { useSelected } from '@/lib/store';
import { DecisionFields } from './DecisionFields';
import type { DecisionModel } from './decisionModel';
import { type Decision, offerOf, reasonIn } from './issueDecisions';

const NONE = [] as const;

interface DecisionDetailsProps {
  model: DecisionModel;
  issue: Issue;
  /** The change that was chosen with a pointer, whose fields get the focus; empty if none was. */
  byPointer?: string;
  /** Whether a note that is not needed has its field. */
  opensNote?: boolean;
  onChange: (decision: Decision) => void;
}

/** What the decision on an issue needs or may have besides; nothing while there is none. */
export function DecisionDetails(props: DecisionDetailsProps) {
  const { model, issue, byPointer = '', opensNote = false, onChange } = props;
  const { stored, rules, request } = model;
  const { id } = issue;
  const { options = NONE } = request.argument;
  const decision = useSelected(stored, ({ decisions }) => decisions[id] ?? null);
  const byWords = useSelected(stored, ({ text }) => reasonIn(text) !== '');
  const choice = useSelected(stored, () => model.draft().choice) ?? -1;
  // A field that was opened stays, whatever is decided then.
  const [noteOpened, setNoteOpened] = useState(false);
  if (decision === null) return null;
  return (
    <DecisionFields
      key={decision.change}
      issue={issue}
      decision={decision}
      rules={rules}
      ofOption={offerOf(options[choice], id)?.note ?? undefined}
      offered={offeredNotes(options, choice, id, decision.change)}
      focused={byPointer === decision.change}
      byWords={byWords}
      noteOpened={noteOpened || opensNote}
      onOpenNote={() => setNoteOpened(true)}
      onChange={onChange}
    />
  );
}

/** What the options say where they make the same of the issue, and the chosen one where it makes the same of others, each once. */
function offeredNotes(options: readonly AppealOption[], choice: number, id: string, change: string) {
  const ofIssue = options.map((option) => offerOf(option, id));
  const ofOthers = options[choice]?.issue_changes ?? [];
  const same = [...ofIssue, ...ofOthers].flatMap((offer) =>
    offer?.change === change && offer.note ? offer.note : [],
  );
  return [...new Set(same)];
}
