import { useCallback, useEffect, useState } from 'react';

const key = (debateId: string) => `aweave.stop.${debateId}`;

export interface StopReasonDraft {
  text: string;
  save(text: string): void;
}

/** The unsent reason for stopping a debate. It survives a reload, and a navigation away. */
export function useStopReason(debateId: string): StopReasonDraft {
  const [text, setText] = useState(() => read(debateId));
  useEffect(() => setText(read(debateId)), [debateId]);
  const save = useCallback(
    (next: string) => {
      setText(next);
      write(debateId, next);
    },
    [debateId],
  );
  return { text, save };
}

function read(debateId: string): string {
  try {
    return localStorage.getItem(key(debateId)) ?? '';
  } catch {
    return '';
  }
}

function write(debateId: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key(debateId));
    else localStorage.setItem(key(debateId), text);
  } catch {
    // Storage failed: the text stays in memory.
  }
}
