import type { Debate, Failure } from '@/api/types';
import { createStore, useStore } from '@/lib/store';
import type { TextPart } from '@/ui/TextParts';
import type { RulingAction } from '@/websocket/messages';
import { newRequestId } from '@/websocket/outbox';
import { sendRulingOnLeaving } from '@/websocket/sendRulingOnLeaving';
import { draftOf, draftText, EMPTY, isWritten, readDraft } from '../draft';
import { faultOf, type KeyedChange } from '../issueDecisions';
import { PAGE, readUnsent, removeUnsent, watchUnsent, writeUnsent } from './unsentStorage';

/** A ruling that was made and is not sent yet, so that it can be taken back; or one that was refused. */
export interface UnsentRuling {
  /** Under which it is sent, by whichever tab and however often, so that it is stored once. */
  requestId: string;
  debateId: string;
  /** The title of its debate. */
  title: string;
  /** What comes of it for the debate. */
  effect: string;
  /** The option and the changes in short, and the text. */
  summary: readonly TextPart[];
  action: RulingAction;
  /** The number of the argument that asked for it, as it was shown. */
  asked: number;
  changes: readonly KeyedChange[];
  /** The draft that it was made from. */
  draft: string;
  sendAt: number;
  /** The tab that sends it; null once that was left, so that any tab does. */
  tab: string | null;
  /** Whether this tab is sending it. */
  sending: boolean;
  /** Why it was refused. */
  failure: Failure | null;
  /** Whether another tab undid or sent it while this one was sending it. */
  removed?: boolean;
}

const WAIT_MS = 10_000;
/** How much later another tab sends it: its own one may have crashed. */
const CRASHED_MS = 15_000;

/** The unsent rulings of all tabs, and the refused ones of this tab. They are kept until they are sent, refused or undone. */
export const unsentRulings = createStore<readonly UnsentRuling[]>([], {
  read: () => {
    watchUnsent(onChangeElsewhere);
    return readUnsent();
  },
  write: () => {},
});

/** When this tab sends it. A clock that was set back makes it wait no longer. */
export function sendTime({ sendAt, tab }: UnsentRuling, now = Date.now()): number {
  return Math.min(sendAt, now + WAIT_MS) + (tab === null || tab === PAGE ? 0 : CRASHED_MS);
}

/** Whether this tab made it, or sends it. */
export function isOwn({ tab, sending }: UnsentRuling): boolean {
  return sending || tab === PAGE;
}

export function changeUnsent(requestId: string, change: Partial<UnsentRuling>): void {
  set(
    unsentRulings.get().map((ruling) => (ruling.requestId === requestId ? { ...ruling, ...change } : ruling)),
  );
}

/** Shows these from now on, and keeps of them what is to be sent. */
function set(rulings: readonly UnsentRuling[]): void {
  const former = unsentRulings.get();
  for (const ruling of former) {
    if (!rulings.some(({ requestId }) => requestId === ruling.requestId)) removeUnsent(ruling.requestId);
  }
  for (const ruling of rulings) {
    if (former.includes(ruling)) continue;
    if (ruling.failure === null) writeUnsent(ruling);
    else removeUnsent(ruling.requestId);
  }
  unsentRulings.set(rulings);
}

/** Another tab has made or changed a ruling, or sent or undone it. */
function onChangeElsewhere(requestId: string, changed: UnsentRuling | null): void {
  const rulings = unsentRulings.get();
  const here = rulings.find((ruling) => ruling.requestId === requestId);
  if (changed === null) {
    if (here === undefined || here.failure !== null) return;
    // It is withdrawn unless it went out already: then its answer tells what became of it.
    if (here.sending)
      unsentRulings.set(rulings.map((ruling) => (ruling === here ? { ...here, removed: true } : ruling)));
    else dropRemoved(here);
  } else if (here === undefined) unsentRulings.set([...rulings, changed]);
  else {
    const merged = { ...changed, sending: here.sending, failure: here.failure };
    unsentRulings.set(rulings.map((ruling) => (ruling === here ? merged : ruling)));
  }
}

/** Drops a ruling that another tab undid or sent, with its draft if it was sent. */
export function dropRemoved({ requestId, debateId, draft: ruled }: UnsentRuling): void {
  unsentRulings.set(unsentRulings.get().filter((ruling) => ruling.requestId !== requestId));
  const draft = draftOf(debateId);
  const wasSent = !isWritten(readDraft(debateId)) && draftText(draft.get()) === ruled;
  if (wasSent) draft.set(EMPTY);
}

/**
 * The page is left: what waits here goes out now, since nobody can undo it any more, unless it may be that something else is asked by
 * now. It is kept all the same, and sent again by the next page, which learns so what became of it.
 */
export function sendOnLeaving(isStillAsked: (ruling: UnsentRuling) => boolean): void {
  const rulings = unsentRulings.get().map((ruling) => {
    if (ruling.failure !== null || ruling.tab !== PAGE) return ruling;
    if (isStillAsked(ruling)) sendRulingOnLeaving(ruling.action, ruling.requestId);
    return { ...ruling, tab: null, sendAt: Math.min(ruling.sendAt, Date.now()) };
  });
  set(rulings);
}

/** The `seq` of the newest ruling of this tab that was stored, by debate. */
const storedSeqs = new Map<string, number>();

/** Whether what is known of a debate lacks the newest ruling that was stored here: it is not ruled on again. */
export function lacksRuling({ id, last_seq }: Pick<Debate, 'id' | 'last_seq'>): boolean {
  return last_seq < (storedSeqs.get(id) ?? 0);
}

/** Forgets a ruling that was stored as `seq`. */
export function forgetStored({ requestId, debateId }: UnsentRuling, seq: number): void {
  storedSeqs.set(debateId, seq);
  forget(requestId);
}

/** Undoes a ruling, or forgets one that was sent or refused. The draft stays. */
export function forget(requestId: string): void {
  set(unsentRulings.get().filter((ruling) => ruling.requestId !== requestId));
}

/** The unsent ruling of a debate, if there is one. */
export function unsentIn(rulings: readonly UnsentRuling[], debateId: string): UnsentRuling | null {
  return rulings.find((ruling) => ruling.debateId === debateId) ?? null;
}

/** So many bars leave room for what is read. */
const MOST_BARS = 2;

/**
 * The rulings that are folded where there are many: the longest made of those that wait. The one that is being sent may have to be
 * cancelled, and takes nobody's place, since that would come and go within moments.
 */
export function olderOf(rulings: readonly UnsentRuling[]): readonly UnsentRuling[] {
  const refused = rulings.filter(({ failure }) => failure !== null).length;
  const waiting = rulings.filter(({ sending }) => !sending);
  const shown = Math.max(1, MOST_BARS - refused);
  return waiting.slice(0, Math.max(0, waiting.length - shown));
}

/** Those of the debates in which a ruling is due for which none waits to be sent, nor was stored without the page knowing yet. */
export function withoutRuling(
  due: readonly string[],
  debates: ReadonlyMap<string, Debate>,
  rulings: readonly UnsentRuling[],
): readonly string[] {
  return due.filter((id) => {
    const debate = debates.get(id);
    return unsentIn(rulings, id)?.failure !== null && (debate === undefined || !lacksRuling(debate));
  });
}

/** Forgets a ruling that was refused. */
export function clearFault(debateId: string): void {
  const unsent = unsentIn(unsentRulings.get(), debateId);
  if (unsent?.failure) forget(unsent.requestId);
}

/** The ruling that was made last here, until its bar has come. */
let justMade: string | null = null;

/** Whether a ruling was just made here: its bar takes the focus once, and not when it comes back. */
export function takesFocus(requestId: string): boolean {
  const takes = requestId === justMade;
  if (takes) justMade = null;
  return takes;
}

interface RulingInput extends Pick<UnsentRuling, 'effect' | 'summary' | 'changes' | 'asked'> {
  content: string;
  close: boolean;
  chosenOption: number | null;
}

/** The arbitrator's rulings in one debate: each waits before it is sent. */
export function useRuling(debate: Debate) {
  const { id, title } = debate;
  const unsent = unsentIn(useStore(unsentRulings), id);
  return {
    busy: unsent?.failure === null || lacksRuling(debate),
    /** The change for which the last ruling was refused. */
    fault: unsent?.failure ? faultOf(unsent.failure, unsent.changes) : null,
    rule({ content, close, chosenOption, changes, asked, effect, summary }: RulingInput): void {
      const data = {
        debate_id: id,
        content,
        close,
        ...(chosenOption !== null && { chosen_option: chosenOption }),
        // Also where there are none, since what the option decides was shown, and may have been cleared.
        issue_changes: changes.map(({ change }) => change),
      };
      const ruling: UnsentRuling = {
        requestId: newRequestId(),
        debateId: id,
        title,
        effect,
        summary,
        action: { event: 'submit_ruling', data },
        asked,
        changes,
        draft: draftText(draftOf(id).get()),
        sendAt: Date.now() + WAIT_MS,
        tab: PAGE,
        sending: false,
        failure: null,
      };
      // One that was refused is replaced; of two tabs that rule at once the server takes the first.
      const others = unsentRulings
        .get()
        .filter(({ debateId, failure }) => debateId !== id || failure === null);
      justMade = ruling.requestId;
      set([...others, ruling]);
    },
  };
}
