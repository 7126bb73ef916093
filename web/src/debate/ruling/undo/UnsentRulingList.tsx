import { ChevronDown, Gavel, X } from 'lucide-react';
import {
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath, inboxPath, navigate, recordPath } from '@/lib/router';
import { useStore } from '@/lib/store';
import { useNow } from '@/lib/useNow';
import { useShortcuts } from '@/lib/useShortcuts';
import {
  NotificationOffer,
  offerNotifications,
  useNotificationsOffered,
} from '@/notifications/NotificationOffer';
import { Button, ButtonLink, IconButton } from '@/ui/button';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { Link } from '@/ui/Link';
import { mayScroll, type TextPart, TextParts } from '@/ui/TextParts';
import { type Outbox, type Pending, WITHDRAWN } from '@/websocket/outbox';
import type { Connection } from '@/websocket/reconnectingSocket';
import { ActionError, RULED_ELSEWHERE } from '../ActionError';
import { clearAfterSend, draftOf, draftText, draftUnsaved, isWritten, keepDraft } from '../draft';
import { focusBox } from '../focusBox';
import { faultOf } from '../issueDecisions';
import { cameBefore } from './cameBefore';
import { NextRuling } from './NextRuling';
import { OlderRulings } from './OlderRulings';
import { ruledIds } from './ruledIds';
import { SendingNotice } from './SendingNotice';
import {
  changeUnsent,
  dropRemoved,
  forget,
  forgetStored,
  isOwn,
  olderOf,
  sendOnLeaving,
  sendTime,
  takesFocus,
  type UnsentRuling,
  unsentIn,
  unsentRulings,
  withoutRuling,
} from './unsentRulings';

interface UnsentRulingListProps {
  /** The debate that is open. */
  openId: string | null;
  debates: ReadonlyMap<string, Debate>;
  /** Those in which a ruling is due. */
  due: readonly string[];
  dueLoaded: boolean;
  dueBeyond: number;
  connection: Connection;
  pending: Pending | null;
  outbox: Outbox;
}

/** The newest ruling of this tab that was stored. */
interface Ruled {
  ruling: UnsentRuling;
  seq: number;
  close: boolean;
  /** Whether it was read, or the page was left. The next one is named as long as its page is open. */
  told: boolean;
}

/**
 * Below every page, where they were sent from, so that nothing that is read moves: the rulings that can still be taken back, of which
 * it sends each at its time, and what came of the last one, until the page is left.
 */
export default function UnsentRulingList(props: UnsentRulingListProps) {
  const { openId, debates, due, dueLoaded, dueBeyond, connection, pending, outbox } = props;
  const t = useT();
  const rulings = useStore(unsentRulings);
  const [ruled, setRuled] = useState<Ruled | null>(null);
  const [missed, setMissed] = useState<readonly string[]>([]);
  const offered = useNotificationsOffered();
  const waiting = rulings.filter(({ sending }) => !sending);
  const first = pending === null ? waiting.toSorted((a, b) => sendTime(a) - sendTime(b))[0] : undefined;
  useShortcuts({ z: () => undo(waiting.at(-1)) });

  // What is not stored is lost with the page.
  const unsaved = useStore(draftUnsaved);
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: Event) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);

  // Undone in another tab, while this one waits for the connection.
  const removed = pending !== null && isRemoved(pending.requestId);
  useEffect(() => {
    if (removed) outbox.withdraw();
  }, [removed, outbox]);

  const waits = withoutRuling(due, debates, rulings);
  const ruledHereIds = due.filter((id) => !waits.includes(id)).join(' ');
  useLayoutEffect(() => ruledIds.set(ruledHereIds), [ruledHereIds]);

  const leave = useEffectEvent(() =>
    sendOnLeaving(({ debateId, asked }) => {
      const debate = debates.get(debateId);
      return connection === 'live' && (debate === undefined || debate.ruling_request?.seq === asked);
    }),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: `send` is another function each time
  useEffect(() => {
    if (first === undefined) return;
    const timer = setTimeout(() => void send(first), Math.max(0, sendTime(first) - Date.now()));
    return () => clearTimeout(timer);
  }, [first]);

  useEffect(() => {
    // What was on its way when the page had to sign in again is sent by its new connection.
    for (const { requestId, sending, failure } of unsentRulings.get()) {
      if (sending && failure === null) changeUnsent(requestId, { sending: false });
    }
    window.addEventListener('pagehide', leave);
    // A phone may end the browser while it sleeps.
    document.addEventListener('freeze', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('freeze', leave);
    };
  }, []);

  // If a ruling is made elsewhere while this person writes one, it is said that this one was not sent.
  const former = useRef(due);
  useEffect(() => {
    const rulings = unsentRulings.get();
    const ruled = former.current.filter(
      (id) => !due.includes(id) && !rulings.some((ruling) => ruling.debateId === id && isOwn(ruling)),
    );
    former.current = due;
    // What another tab rules from the same draft is no other ruling.
    const unsent = ruled.filter((id) => {
      const draft = draftOf(id).get();
      return isWritten(draft) && draftText(draft) !== unsentIn(rulings, id)?.draft;
    });
    for (const id of unsent) keepDraft(id);
    if (unsent.length > 0) setMissed((before) => [...before, ...unsent]);
  }, [due]);

  async function send(ruling: UnsentRuling) {
    const { requestId, debateId, action, draft } = ruling;
    changeUnsent(requestId, { sending: true });
    const check = () => cameBefore({ ...ruling, removed: isRemoved(requestId) });
    const outcome = await outbox.submit(action, requestId, check);
    if (outcome.ok) {
      clearAfterSend(debateId, draft);
      const { close = false, seq } = outcome.argument;
      forgetStored(ruling, seq);
      setRuled({ ruling, seq, close, told: false });
      offerNotifications();
      return;
    }
    const withdrawn = outcome.failure === WITHDRAWN;
    if (withdrawn && isRemoved(requestId)) return dropRemoved(ruling);
    keepDraft(debateId);
    if (withdrawn) forget(requestId);
    else changeUnsent(requestId, { failure: outcome.failure });
  }

  // Were it to go by itself, what is above would move while somebody is about to press it.
  const tell = () => setRuled((before) => before && { ...before, told: true });
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each page
  useEffect(() => {
    tell();
    // A key that led to another page, such as `n`, goes on there rather than at the button that takes the former ruling back.
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && list.current?.contains(focused)) focused.blur();
  }, [openId]);

  // The same as the inbox has, in its order.
  const others = waits.filter((id) => id !== openId);
  const next = debates.get(others[0] ?? '');
  const unsentHere = openId !== null && unsentIn(rulings, openId) !== null;
  const ruledHere = ruled !== null && ruled.ruling.debateId === openId;
  // Of this debate, too: its ruling may have been refused, or another one been asked for. Without the server nobody knows.
  const isLast =
    connection === 'live' && dueLoaded && waits.length + dueBeyond === 0 && (unsentHere || !ruled?.told);
  const showsNext = (unsentHere || ruledHere) && (next !== undefined || isLast);
  // The page of a closed debate says itself what came of it, and the next ruling is what matters then.
  const isTold =
    ruled === null || ruled.told || (ruled.close && ruled.ruling.debateId === openId) || rulings.length > 0;
  const sent = isTold ? undefined : ruled;
  // One that was sent all the same, and refused, says so itself.
  const unsent = missed.flatMap((id) => (unsentIn(rulings, id) === null ? (debates.get(id) ?? []) : []));
  const sentText = sent ? t(sent.close ? 'unsent.closed' : 'unsent.sent', { seq: sent.seq }) : '';
  // It is there before it has a text, so that the text is read out.
  const status = (
    <p role="status" className="sr-only">
      {sent && `${sentText} ${sent.ruling.title}`}
    </p>
  );
  if (rulings.length + unsent.length === 0 && !showsNext && sent === undefined && !offered) return status;
  const older = olderOf(rulings);
  const bar = (ruling: UnsentRuling) => (
    <li key={ruling.requestId} data-unsent className="no-early-clicks px-3.5 py-2 max-sm:py-1.5">
      {ruling.sending ? (
        <>
          <Title id={ruling.debateId} title={ruling.title} />
          {ruling.failure === null ? (
            <SendingNotice
              sent={pending?.sent ?? false}
              live={connection === 'live'}
              onWithdraw={() => outbox.withdraw()}
            />
          ) : (
            <ActionError
              failure={ruling.failure}
              fault={faultOf(ruling.failure, ruling.changes)}
              onDismiss={() => forget(ruling.requestId)}
            />
          )}
        </>
      ) : (
        <WaitingRuling ruling={ruling} />
      )}
    </li>
  );
  return (
    <>
      {status}
      <ul
        ref={list}
        aria-label={t('unsent.label')}
        data-odd={rulings.length % 2 === 1}
        // The second click of a double one was meant for the button that stood here before.
        onClickCapture={ignoreSecondClick}
        className="grid shrink-0 low:sticky low:bottom-0 low:z-10 grid-cols-1 gap-1 border-t bg-sidebar px-3 pt-1.5 pb-[max(0.375rem,env(safe-area-inset-bottom))] sm:px-6 [&>li]:mx-auto [&>li]:w-full [&>li]:max-w-[52rem] [&>li]:rounded-lg [&>li]:border [&>li]:bg-card [&>li]:text-[13px] print:hidden"
      >
        {rulings.map((ruling) => {
          if (!older.includes(ruling)) return bar(ruling);
          // One line stands for all of them, where the first one is: what goes out before it does not move it.
          return (
            ruling === older[0] && (
              <li key="older" data-older className="no-early-clicks">
                <OlderRulings n={older.length}>{older.map(bar)}</OlderRulings>
              </li>
            )
          );
        })}
        {unsent.map(({ id, title, state }) => (
          <li key={id} data-missed className="no-early-clicks px-3.5 py-2">
            <Title id={id} title={title} />
            <ActionError
              failure={{ code: RULED_ELSEWHERE, message: '', current_state: state }}
              onDismiss={() => setMissed(missed.filter((other) => other !== id))}
            />
          </li>
        ))}
        {sent && (
          <li data-sent className="no-early-clicks px-3.5 py-2 max-sm:py-1.5">
            <RulingNotice ruling={{ ...sent.ruling, effect: sentText }} first={[sentText]}>
              {sent.close && (
                <ButtonLink size="sm" variant="ghost" href={recordPath(sent.ruling.debateId)}>
                  {t('record.open')}
                </ButtonLink>
              )}
              <IconButton icon={X} size="tiny" label={t('unsent.dismiss')} onClick={tell} />
            </RulingNotice>
          </li>
        )}
        {offered && (
          <li data-offer className="no-early-clicks px-3.5 py-2">
            <NotificationOffer />
          </li>
        )}
        {showsNext && (
          <li key={next?.id} className="no-early-clicks">
            <NextRuling next={next} more={others.length + dueBeyond - 1} />
          </li>
        )}
      </ul>
    </>
  );
}

const isRemoved = (id: string) =>
  unsentRulings.get().some(({ requestId, removed }) => requestId === id && removed === true);

function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

function Title({ id, title }: { id: string; title: string }) {
  return (
    <Link dir="auto" href={debatePath(id)} className="block truncate rounded font-medium hover:underline">
      <InlineText text={title} />
    </Link>
  );
}

/** Takes a ruling back, and leads to where it is changed. */
function undo(ruling: UnsentRuling | undefined) {
  if (ruling === undefined) return;
  const { requestId, debateId } = ruling;
  forget(requestId);
  // Its card is active again.
  if (location.pathname === '/') navigate(inboxPath(debateId));
  focusBox(debateId);
}

const CLOCK_MS = 500;

function WaitingRuling({ ruling }: { ruling: UnsentRuling }) {
  const t = useT();
  const now = useNow(CLOCK_MS);
  const seconds = Math.max(0, Math.ceil((sendTime({ ...ruling, tab: null }, now) - now) / 1000));
  const when = seconds > 0 ? t('unsent.in', { time: t.duration(seconds * 1000) }) : t('unsent.waits');
  const { requestId, effect } = ruling;
  const undoButton = useRef<HTMLButtonElement>(null);
  // The button that was pressed cannot be pressed again, and loses the focus: in Chromium by now, in Firefox later.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const isLost = document.activeElement?.matches('body, :disabled');
      if (takesFocus(requestId) && isLost) undoButton.current?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [requestId]);
  const notice = useRef<HTMLDivElement>(null);
  // When it is sent, the keyboard goes on from the page rather than from its very beginning.
  useLayoutEffect(() => {
    const element = notice.current;
    return () => {
      if (element?.contains(document.activeElement)) document.getElementById('debate')?.focus();
    };
  }, []);
  return (
    <div ref={notice}>
      <RulingNotice
        ruling={ruling}
        timeLeft={seconds > 0 ? `${t.duration(seconds * 1000)} · ` : ''}
        first={seconds > 0 ? [effect] : [`${when} · `, effect]}
        when={seconds > 0 ? `${when}, ${t('unsent.leave')}` : when}
      >
        <Button ref={undoButton} size="sm" title="z" className="max-sm:px-2!" onClick={() => undo(ruling)}>
          {t('unsent.undo')}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          className="max-sm:px-2!"
          data-send-now
          onClick={() => changeUnsent(requestId, { sendAt: Date.now() })}
        >
          {t('unsent.now')}
        </Button>
      </RulingNotice>
    </div>
  );
}

interface RulingNoticeProps {
  ruling: Pick<UnsentRuling, 'debateId' | 'title' | 'effect' | 'summary'>;
  /** On a phone, where it would take much of the page: what stands before the title, in one line; the rest is shown on demand. */
  first: readonly TextPart[];
  /** Before that; not read out, since it changes each second. */
  timeLeft?: string;
  /** When it is sent; not read out, either. */
  when?: string;
  /** What may be done. */
  children: ReactNode;
}

/** What a ruling says. It is as high when it was sent as while it waits, so that nothing moves then. */
function RulingNotice({ ruling, timeLeft = '', first, when, children }: RulingNoticeProps) {
  const [open, setOpen] = useState(false);
  const { debateId, title, effect, summary } = ruling;
  return (
    <div
      data-open={open}
      className="group/notice flex flex-wrap items-center gap-x-3 gap-y-1.5 max-sm:gap-y-1"
    >
      <Gavel aria-hidden className="size-4 shrink-0 text-arbitrator max-sm:hidden" />
      <div
        role="status"
        className="min-w-0 flex-1 basis-44 max-sm:basis-24 max-sm:group-data-[open=true]/notice:basis-full"
      >
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-6 w-full min-w-0 max-sm:-my-2.5 max-sm:min-h-11 items-center rounded text-start text-[13px] sm:hidden"
        >
          <ChevronDown
            aria-hidden
            className={cn('mr-2 size-4 shrink-0 text-arbitrator', open && 'rotate-180')}
          />
          <span className="grid min-w-0 leading-snug">
            <span data-sending className="truncate">
              <span aria-hidden className="whitespace-pre tabular-nums">
                {timeLeft}
              </span>
              <TextParts parts={first} />
            </span>
            <span className="truncate text-xs text-muted-foreground">
              <InlineText text={title} />
            </span>
          </span>
        </button>
        <div className={cn(!open && 'max-sm:hidden')}>
          <Title id={debateId} title={title} />
          <p className="text-[13px] tabular-nums">
            {effect}
            {when !== undefined && (
              <span aria-live="off" className="text-muted-foreground">
                {' '}
                · {when}
              </span>
            )}
          </p>
          {summary.length > 0 && (
            <p
              dir="auto"
              tabIndex={mayScroll(summary) ? 0 : undefined}
              className="max-h-[20dvh] overflow-y-auto text-[13px] whitespace-pre-line text-muted-foreground wrap-anywhere"
            >
              <TextParts parts={summary} />
            </p>
          )}
        </div>
      </div>
      <div className="ml-auto flex items-center justify-end gap-2 max-sm:gap-1 max-sm:group-data-[open=true]/notice:w-full">
        {children}
      </div>
    </div>
  );
}
