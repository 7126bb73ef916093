import { useCallback, useEffect, useState } from 'react';
import { type IssueDecisions, NO_DECISIONS, parseDecisions } from './issueDecisions';

/** An unsent ruling. */
export interface Draft extends IssueDecisions {
  text: string;
  /** The part of the text that comes from the chosen option. */
  fill: string;
  /** The index of the chosen option, and the appeal that it belongs to. */
  choice: number | null;
  appealId: string | null;
}

export const EMPTY: Draft = { text: '', fill: '', choice: null, appealId: null, ...NO_DECISIONS };

const key = (debateId: string) => `aweave.draft.${debateId}`;

export function parseDraft(stored: string | null): Draft {
  if (stored === null) return EMPTY;
  try {
    const value: unknown = JSON.parse(stored);
    if (typeof value !== 'object' || value === null) return EMPTY;
    const { text, fill, choice, appealId } = value as Partial<Draft>;
    return {
      text: typeof text === 'string' ? text : '',
      fill: typeof fill === 'string' ? fill : '',
      choice: typeof choice === 'number' ? choice : null,
      appealId: typeof appealId === 'string' ? appealId : null,
      ...parseDecisions(value),
    };
  } catch {
    return EMPTY;
  }
}

/** How many issues it decides or raises. */
export function countChanges({ decisions, raised }: Draft): number {
  return Object.keys(decisions).length + raised.length;
}

/** Whether there is anything in it that a person would miss. */
export function isWritten(draft: Draft): boolean {
  return draft.text.trim() !== '' || countChanges(draft) > 0;
}

/** Under another appeal the text and the decisions stay, and the choice is dropped. */
export function forAppeal(draft: Draft, appealId: string | null): Draft {
  return draft.appealId === appealId ? draft : { ...draft, fill: '', choice: null, appealId };
}

function read(debateId: string): Draft {
  try {
    return parseDraft(localStorage.getItem(key(debateId)));
  } catch {
    return EMPTY;
  }
}

function write(debateId: string, draft: Draft): void {
  try {
    const empty = draft.text === '' && draft.choice === null && countChanges(draft) === 0;
    if (empty) localStorage.removeItem(key(debateId));
    else localStorage.setItem(key(debateId), JSON.stringify(draft));
  } catch {
    // Storage failed: the draft stays in memory.
  }
}

export interface DraftStore {
  draft: Draft;
  save(draft: Draft): void;
  /** Clears the draft here, and in storage unless another tab has stored a different one. */
  clearAfterSend(): void;
  /** Stores the draft again: another tab may have removed it when its ruling was accepted. */
  restore(): void;
}

export function useDraft(debateId: string): DraftStore {
  const [draft, setDraft] = useState(() => read(debateId));
  useEffect(() => setDraft(read(debateId)), [debateId]);

  const save = useCallback(
    (next: Draft) => {
      setDraft(next);
      write(debateId, next);
    },
    [debateId],
  );
  const clearAfterSend = useCallback(() => {
    const stored = JSON.stringify(read(debateId));
    if (stored === JSON.stringify(parseDraft(JSON.stringify(draft)))) write(debateId, EMPTY);
    setDraft(EMPTY);
  }, [debateId, draft]);
  const restore = useCallback(() => write(debateId, draft), [debateId, draft]);

  return { draft, save, clearAfterSend, restore };
}
