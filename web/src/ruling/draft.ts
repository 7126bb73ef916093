import { useCallback, useEffect, useState } from 'react';

/** A ruling that is being written. */
export interface Draft {
  text: string;
  /** What the chosen option wrote into the text. */
  fill: string;
  /** The place of the choice in the list, and the appeal it belongs to. */
  choice: number | null;
  appealId: string | null;
}

export const EMPTY: Draft = { text: '', fill: '', choice: null, appealId: null };

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
    };
  } catch {
    return EMPTY;
  }
}

/** A choice is worth nothing under another appeal; the words are. */
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
    if (draft.text === '' && draft.choice === null) localStorage.removeItem(key(debateId));
    else localStorage.setItem(key(debateId), JSON.stringify(draft));
  } catch {
    // No storage: the draft lives as long as the page.
  }
}

export interface DraftHandle {
  draft: Draft;
  save(draft: Draft): void;
  /** Forgets it here and in storage, unless another tab has by now written something else there. */
  sent(): void;
  /** Writes it back: another tab that ruled first may have removed it. */
  keep(): void;
}

export function useDraft(debateId: string): DraftHandle {
  const [draft, setDraft] = useState(() => read(debateId));
  useEffect(() => setDraft(read(debateId)), [debateId]);

  const save = useCallback(
    (next: Draft) => {
      setDraft(next);
      write(debateId, next);
    },
    [debateId],
  );
  const sent = useCallback(() => {
    if (read(debateId).text === draft.text) write(debateId, EMPTY);
    setDraft(EMPTY);
  }, [debateId, draft.text]);
  const keep = useCallback(() => write(debateId, draft), [debateId, draft]);

  return { draft, save, sent, keep };
}
