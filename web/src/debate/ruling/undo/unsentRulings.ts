import type { Debate, Failure } from '@/api/types';
import { createStore, useStore } from '@/lib/store';
import type { Action } from '@/websocket/messages';
import { newRequestId } from '@/websocket/outbox';
import { draftOf, draftText } from '../draft';
import { faultOf, type KeyedChange } from '../issueDecisions';

/** A ruling that was made and is not sent yet, so that it can be taken back; or one that was refused. */
export interface UnsentRuling {
  /** Under which it is sent, also after a reload, so that it is stored once. */
  requestId: string;
  debateId: string;
  /** The title of its debate. */
  title: string;
  /** What comes of it for the debate. */
  effect: string;
  /** The option, the changes and the text in short. */
  summary: string;
  action: Action;
  changes: readonly KeyedChange[];
  /** The draft that it was made from. */
  draft: string;
  sendAt: number;
  /** Whether it waits no longer. */
  sending: boolean;
  /** Why it was refused. */
  failure: Failure | null;
}

const WAIT_MS = 10_000;
/** What was to be sent longer ago than this, as in a tab that was closed and opened again, stays a draft. */
const EXPIRED_MS = 60_000;
const KEY = 'aweave.unsent';

/** The unsent rulings of this tab, oldest first. */
export const unsentRulings = createStore<readonly UnsentRuling[]>([], {
  read: () => parse(sessionStorage.getItem(KEY)),
  write: (rulings) =>
    sessionStorage.setItem(KEY, JSON.stringify(rulings.filter(({ failure }) => failure === null))),
});

/** What was being sent is sent again, under the same request id. */
function parse(stored: string | null): UnsentRuling[] {
  const rulings = JSON.parse(stored ?? '[]') as UnsentRuling[];
  return rulings
    .filter(({ sendAt }) => Date.now() - sendAt < EXPIRED_MS)
    .map((ruling) => ({ ...ruling, sending: false }));
}

export function changeUnsent(requestId: string, change: Partial<UnsentRuling>): void {
  unsentRulings.set(
    unsentRulings.get().map((ruling) => (ruling.requestId === requestId ? { ...ruling, ...change } : ruling)),
  );
}

/** The `seq` of the newest ruling of this tab that was stored, by debate. */
const storedSeqs = new Map<string, number>();

/** Forgets a ruling that was stored as `seq`. */
export function forgetStored({ requestId, debateId }: UnsentRuling, seq: number): void {
  storedSeqs.set(debateId, seq);
  forget(requestId);
}

/** Undoes a ruling, or forgets one that was sent or refused. The draft stays. */
export function forget(requestId: string): void {
  unsentRulings.set(unsentRulings.get().filter((ruling) => ruling.requestId !== requestId));
}

/** The unsent ruling of a debate, if there is one. */
export function unsentIn(rulings: readonly UnsentRuling[], debateId: string): UnsentRuling | null {
  return rulings.find((ruling) => ruling.debateId === debateId) ?? null;
}

interface RulingInput extends Pick<UnsentRuling, 'effect' | 'summary' | 'changes'> {
  content: string;
  close: boolean;
  chosenOption: number | null;
}

/** The arbitrator's rulings in one debate: each waits before it is sent. */
export function useRuling({ id, title, last_seq }: Debate) {
  const unsent = unsentIn(useStore(unsentRulings), id);
  return {
    // A debate that does not show its newest ruling yet is not ruled on.
    busy: unsent?.failure === null || last_seq < (storedSeqs.get(id) ?? 0),
    /** The change for which the last ruling was refused. */
    fault: unsent?.failure ? faultOf(unsent.failure, unsent.changes) : null,
    clearFault: () => unsent?.failure && forget(unsent.requestId),
    rule({ content, close, chosenOption, changes, effect, summary }: RulingInput): void {
      const data = {
        debate_id: id,
        content,
        close,
        ...(chosenOption !== null && { chosen_option: chosenOption }),
        ...(changes.length > 0 && { issue_changes: changes.map(({ change }) => change) }),
      };
      const ruling: UnsentRuling = {
        requestId: newRequestId(),
        debateId: id,
        title,
        effect,
        summary,
        action: { event: 'submit_ruling', data },
        changes,
        draft: draftText(draftOf(id).get()),
        sendAt: Date.now() + WAIT_MS,
        sending: false,
        failure: null,
      };
      const others = unsentRulings.get().filter(({ debateId }) => debateId !== id);
      unsentRulings.set([...others, ruling]);
    },
  };
}
