import { useState } from 'react';
import type { Debate, Issue } from '@/api/types';
import { createDraft, useDraft } from '@/debate/ruling/draft';
import type { Question } from '@/debate/ruling/question';
import { RulingForm } from '@/debate/ruling/RulingForm';
import { useRuling } from '@/debate/ruling/useRuling';

interface CardRulingProps {
  debate: Debate;
  question: Question;
  issues: readonly Issue[];
}

/** The form for the ruling, the same as below the open debate, with the same draft. */
export function CardRuling({ debate, question, issues }: CardRulingProps) {
  const [draft] = useState(() => createDraft(debate.id));
  const { busy, fault, clearFault, rule } = useRuling(debate);
  return (
    <div className="mt-4 border-t pt-4">
      <RulingForm
        debate={debate}
        question={question}
        issues={issues}
        draftStore={useDraft(draft)}
        fault={fault}
        onFaultSeen={clearFault}
        busy={busy}
        onRule={rule}
      />
    </div>
  );
}
