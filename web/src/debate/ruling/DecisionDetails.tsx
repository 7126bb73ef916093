import { useState } from 'react';
import type { Argument, Issue } from '@/api/types';
import { useSelected } from '@/lib/store';
import { DecisionFields } from './DecisionFields';
import type { DecisionModel } from './decisionModel';
import { type Decision, offerOf, reasonIn } from './issueDecisions';

interface DecisionDetailsProps {
  model: DecisionModel;
  issue: Issue;
  /** The change that was chosen with a pointer, whose fields get the focus; empty if none was. */
  byPointer?: string;
  onChange: (decision: Decision) => void;
}

/** What the decision on an issue needs or may have besides; nothing while there is none. */
export function DecisionDetails({ model, issue, byPointer = '', onChange }: DecisionDetailsProps) {
  const { stored, rules, request } = model;
  const { id } = issue;
  const { options } = request.argument;
  const decision = useSelected(stored, ({ decisions }) => decisions[id] ?? null);
  const byWords = useSelected(stored, ({ text }) => reasonIn(text) !== '');
  const offer = useSelected(stored, () => offerOf(options?.[model.draft().choice ?? -1], id));
  // A field that was opened stays, whatever is decided then.
  const [noteOpened, setNoteOpened] = useState(false);
  if (decision === null) return null;
  return (
    <DecisionFields
      key={decision.change}
      issue={issue}
      decision={decision}
      rules={rules}
      ofOption={offer?.note ?? undefined}
      offered={offeredNotes(options, id, decision.change)}
      focused={byPointer === decision.change}
      byWords={byWords}
      noteOpened={noteOpened}
      onOpenNote={() => setNoteOpened(true)}
      onChange={onChange}
    />
  );
}

/** What the options say where they make the same of the issue, each once. */
const offeredNotes = (options: Argument['options'], id: string, change: string) => [
  ...new Set(
    (options ?? []).flatMap((option) => {
      const offer = offerOf(option, id);
      return offer?.change === change && offer.note ? offer.note : [];
    }),
  ),
];
