import type { Debate, Failure } from '@/api/types';
import { createStore, useStore } from '@/lib/store';
import type { Action } from '@/websocket/messages';
import { newRequestId } from '@/websocket/requestId';
import { draftOf, draftText } from './draft';
import { faultOf, type KeyedChange } from './issueDecisions';

type SubmitRuling = Extract<Action, { event: 'submit_ruling' }>;

/** A ruling that was made and is not sent yet, so that it can be taken back; or one that was refused. */
export interface HeldRuling {
  /** Under which it is sent, also after a reload, so that it is stored once. */
  requestId: string;
  /** The title of its debate. */
  title: string;
  /** What comes of it for the debate. */
  effect: string;
  /** The option, the changes and the text in short. */
  summary: string;
  action: SubmitRuling;
  changes: readonly KeyedChange[];
  /** The draft that it was made from. */
  draft: string;
  sendAt: number;
  phase: 'held' | 'sending' | 'refused';
  failure: Failure | null;
}

const HOLD_MS = 10_000;
/** What was to be sent longer ago than this, as in a tab that was closed and opened again, stays a draft. */
const EXPIRED_MS = 60_000;
const KEY = 'aweave.held';

/** The held rulings of this tab, oldest first. */
export const heldRulings = createStore<readonly HeldRuling[]>([], {
  read: () => parse(sessionStorage.getItem(KEY)),
  write: (rulings) =>
    sessionStorage.setItem(KEY, JSON.stringify(rulings.filter(({ phase }) => phase !== 'refused'))),
});

/** What was being sent is sent again, under the same request id. */
function parse(stored: string | null): HeldRuling[] {
  const rulings = JSON.parse(stored ?? '[]') as HeldRuling[];
  return rulings
    .filter(({ sendAt }) => Date.now() - sendAt < EXPIRED_MS)
    .map((ruling) => ({ ...ruling, phase: 'held' }));
}

export function hold(made: Pick<HeldRuling, 'title' | 'effect' | 'summary' | 'action' | 'changes'>): void {
  const debateId = made.action.data.debate_id;
  const draft = draftText(draftOf(debateId).get());
  const sendAt = Date.now() + HOLD_MS;
  const ruling = { ...made, requestId: newRequestId(), draft, sendAt } as const;
  const others = heldRulings.get().filter((other) => other.action.data.debate_id !== debateId);
  heldRulings.set([...others, { ...ruling, phase: 'held', failure: null }]);
}

export function changeHeld(requestId: string, change: Partial<HeldRuling>): void {
  heldRulings.set(
    heldRulings.get().map((ruling) => (ruling.requestId === requestId ? { ...ruling, ...change } : ruling)),
  );
}

/** The `seq` of the newest ruling of this tab that was stored, by debate. */
const stored = new Map<string, number>();

/** Forgets a ruling that was stored as `seq`. */
export function forgetStored({ requestId, action }: HeldRuling, seq: number): void {
  stored.set(action.data.debate_id, seq);
  forget(requestId);
}

/** Whether a ruling was stored that a debate of which `lastSeq` was heard does not show yet: there, nothing is ruled on. */
export function isBehind(debateId: string, lastSeq: number): boolean {
  return lastSeq < (stored.get(debateId) ?? 0);
}

/** Undoes a ruling, or forgets one that was sent or refused. The draft stays. */
export function forget(requestId: string): void {
  heldRulings.set(heldRulings.get().filter((ruling) => ruling.requestId !== requestId));
}

/** The ruling that is held for a debate, if there is one. */
export function heldFor(rulings: readonly HeldRuling[], debateId: string): HeldRuling | null {
  return rulings.find(({ action }) => action.data.debate_id === debateId) ?? null;
}

export interface RulingInput {
  content: string;
  close: boolean;
  chosenOption: number | null;
  changes: readonly KeyedChange[];
  effect: string;
  summary: string;
}

/** The arbitrator's rulings in one debate: each is held before it is sent. */
export function useRuling({ id, title, last_seq }: Debate) {
  const held = heldFor(useStore(heldRulings), id);
  return {
    busy: (held !== null && held.phase !== 'refused') || isBehind(id, last_seq),
    /** The change for which the last ruling was refused. */
    fault: held?.failure ? faultOf(held.failure, held.changes) : null,
    clearFault: () => held?.phase === 'refused' && forget(held.requestId),
    rule({ content, close, chosenOption, changes, effect, summary }: RulingInput): void {
      const data = {
        debate_id: id,
        content,
        close,
        ...(chosenOption !== null && { chosen_option: chosenOption }),
        ...(changes.length > 0 && { issue_changes: changes.map(({ change }) => change) }),
      };
      hold({ title, effect, summary, action: { event: 'submit_ruling', data }, changes });
    },
  };
}
