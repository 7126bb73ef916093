import { useState } from 'react';
import type { Debate, Issue } from '@/api/types';
import { ActionError } from '@/debate/ruling/ActionError';
import { createDraft, useDraft } from '@/debate/ruling/draft';
import { PendingNotice } from '@/debate/ruling/PendingNotice';
import type { Question } from '@/debate/ruling/question';
import { RulingForm } from '@/debate/ruling/RulingForm';
import { useActions } from '@/debate/ruling/useActions';
import type { Action } from '@/websocket/messages';
import type { Outcome, Pending } from '@/websocket/outbox';
import type { Connection } from '@/websocket/reconnectingSocket';

interface CardRulingProps {
  debate: Debate;
  question: Question;
  issues: readonly Issue[];
  pending: Pending | null;
  connection: Connection;
  onAct: (action: Action) => Promise<Outcome>;
  onWithdraw: () => void;
}

/** The form for the ruling, the same as below the open debate, with the same draft. */
export function CardRuling(props: CardRulingProps) {
  const { debate, question, issues, pending, connection, onAct, onWithdraw } = props;
  const [draft] = useState(() => createDraft(debate.id));
  const draftStore = useDraft(debate.id, draft);
  const { failure, fault, clearFailure, rule } = useActions(debate.id, draftStore, onAct);
  return (
    <div className="mt-4 border-t pt-4">
      {failure && <ActionError failure={failure} fault={fault} onDismiss={clearFailure} />}
      {pending?.action.data.debate_id === debate.id && (
        <PendingNotice pending={pending} connection={connection} onWithdraw={onWithdraw} />
      )}
      <RulingForm
        debateId={debate.id}
        lastSeq={debate.last_seq}
        question={question}
        issues={issues}
        counts={debate.issue_counts}
        draftStore={draftStore}
        fault={fault}
        onFaultSeen={clearFailure}
        busy={pending !== null}
        onRule={(ruling) => void rule(ruling)}
      />
    </div>
  );
}
