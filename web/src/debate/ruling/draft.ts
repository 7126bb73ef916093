import { createStore, type Store } from '@/lib/store';
import type { PlanComment } from '@/plan/lineComments';
import { type Decision, type IssueDecisions, NO_DECISIONS, withOption } from './issueDecisions';

/** An unsent ruling. */
export interface Draft extends IssueDecisions {
  text: string;
  /** The index of the chosen option, and the appeal that it belongs to. */
  choice: number | null;
  appealId: string | null;
  /** What the chosen option decides, by the id of the issue. */
  offered: Readonly<Record<string, Decision>>;
  /** Comments on the plan, which are sent as quotations below the text. */
  comments: readonly PlanComment[];
}

export const EMPTY: Draft = {
  text: '',
  choice: null,
  appealId: null,
  comments: [],
  offered: {},
  ...NO_DECISIONS,
};

const key = (debateId: string) => `aweave.draft.${debateId}`;

/** How many issues it decides or raises. */
export function countChanges({ decisions, raised }: Draft): number {
  return Object.keys(decisions).length + raised.length;
}

/** Whether there is anything in it that a person would miss. */
export function isWritten(draft: Draft): boolean {
  return draft.text.trim() !== '' || draft.comments.length > 0 || countChanges(draft) > 0;
}

/** Under another appeal the text and a person's decisions stay; the choice goes, with what the option decided. */
export function forAppeal(draft: Draft, appealId: string | null): Draft {
  if (draft.appealId === appealId) return draft;
  return { ...draft, ...withOption(draft, draft.offered, {}), choice: null, appealId, offered: {} };
}

/** The draft as it is stored. One that an older version of the app stored may have less in it. */
export function readDraft(debateId: string): Draft {
  try {
    return { ...EMPTY, ...JSON.parse(localStorage.getItem(key(debateId)) ?? '{}') };
  } catch {
    return EMPTY;
  }
}

/** Whether what was written last could not be stored. */
export const draftUnsaved = createStore(false);

function write(debateId: string, draft: Draft): void {
  try {
    const empty = draft.text === '' && draft.choice === null && !isWritten(draft);
    if (empty) localStorage.removeItem(key(debateId));
    else localStorage.setItem(key(debateId), draftText(draft));
    draftUnsaved.set(false);
  } catch {
    // It stays in memory.
    draftUnsaved.set(true);
  }
}

/** How long another tab may take to remove the draft after its own ruling was accepted. */
const KEEP_MS = 5_000;

/**
 * Stores the draft, and stores it again if another tab removes it just after: a tab whose ruling was accepted removes what
 * was its own, and does not see yet what this tab has stored a moment ago.
 */
export function keepDraft(debateId: string): void {
  const stored = draftOf(debateId);
  const store = () => write(debateId, stored.get());
  const onStorage = ({ key: changed, newValue }: StorageEvent) => {
    if (changed === key(debateId) && newValue === null) store();
  };
  window.addEventListener('storage', onStorage);
  setTimeout(() => window.removeEventListener('storage', onStorage), KEEP_MS);
  store();
}

const opened = new Map<string, Store<Draft>>();

/** What is written in another tab is shown in this one, too. That it was sent or discarded there is told otherwise. */
function onStorage({ key: changed, newValue }: StorageEvent): void {
  for (const [debateId, stored] of opened) {
    if (changed === key(debateId) && newValue !== null) stored.set(readDraft(debateId));
  }
}

/** The draft of one debate, kept in storage and read from there again, since another tab may have changed it. */
export function createDraft(debateId: string): Store<Draft> {
  const stored = createStore(EMPTY, {
    read: () => {
      // Once, however often.
      window.addEventListener('storage', onStorage);
      return readDraft(debateId);
    },
    write: (draft) => write(debateId, draft),
  });
  opened.set(debateId, stored);
  return stored;
}

/** The draft that was opened last, of which forms show the content. */
export function draftOf(debateId: string): Store<Draft> {
  return opened.get(debateId) ?? createDraft(debateId);
}

/** The draft as it is compared. */
export function draftText(draft: Draft): string {
  return JSON.stringify({ ...EMPTY, ...draft });
}

/** Clears the draft that was sent here, and in storage unless another tab has stored a different one. */
export function clearAfterSend(debateId: string, sent: string): void {
  const stored = draftOf(debateId);
  // What was added meanwhile was not sent.
  if (draftText(stored.get()) !== sent) return;
  const elsewhere = readDraft(debateId);
  stored.set(EMPTY);
  if (draftText(elsewhere) !== sent) write(debateId, elsewhere);
}
