import type { Argument, Debate, DebateContext, Issue, Turn } from '@/api/types';
import type { Presence } from '@/websocket/messages';

/** What is loaded of a debate: a window of consecutive arguments, the motion and the newest argument. */
export interface DebateView {
  debate: Debate;
  motion: Argument;
  /** The window. Long debates are never loaded completely. */
  items: readonly Argument[];
  /** The newest argument of the debate, which need not be in the window. */
  last: Argument;
  /** The newest ones, wherever the window is: what is asked, the Stop before it, and what each side said last. */
  newest: readonly Argument[];
  /** When the newest ruling was made. */
  ruledAt: string | null;
  /** All issues once the WebSocket is connected; before that, those that are not settled. */
  issues: readonly Issue[];
  /** The `seq` of the newest argument that is known to have changed issues. */
  issuesChangedSeq: number;
  /** What each role should and may do now. */
  turns: readonly Turn[];
  /** Who waits and who is silent; null until the server has sent it. */
  presence: Presence | null;
  /** Whether the last change added arguments at the front: the list must then keep its distance from the end. */
  prepended: boolean;
  /** Changes when the window is replaced: the list must then be rendered anew. */
  epoch: number;
}

/** How many of them are kept. */
export const NEWEST = 5;

export function fromContext(context: DebateContext): DebateView {
  const { debate, motion, arguments: args, earlier_rulings, issues, turns } = context;
  const items = withMotion(motion, args);
  const ruling = items.findLast(isRuling) ?? earlier_rulings.at(-1);
  return {
    debate,
    motion,
    items,
    last: items.at(-1) ?? motion,
    newest: items.slice(-NEWEST),
    ruledAt: ruling?.created_at ?? null,
    issues,
    issuesChangedSeq: newestChange(issues),
    turns,
    presence: null,
    prepended: false,
    epoch: 0,
  };
}

const isRuling = ({ type }: Argument) => type === 'RULING';

/** Whether nobody may write any more. */
export function isOver({ turns }: Pick<DebateView, 'turns'>): boolean {
  return turns.length > 0 && turns.every(({ allowed }) => allowed.length === 0);
}

/** REST returns the motion separately; in the window it is the first argument. */
export function withMotion(motion: Argument, args: Argument[]): Argument[] {
  const first = args[0];
  return first === undefined || first.seq === motion.seq + 1 ? [motion, ...args] : args;
}

export function firstSeq(view: DebateView): number {
  return view.items[0]?.seq ?? 1;
}

export function lastSeq(view: DebateView): number {
  return view.items.at(-1)?.seq ?? view.motion.seq;
}

export function atStart(view: DebateView): boolean {
  return firstSeq(view) <= view.motion.seq;
}

export function atEnd(view: DebateView): boolean {
  return lastSeq(view) >= view.last.seq;
}

/** Adds a new argument to the window if the window reaches the end; otherwise only `last` changes. */
export function appendArgument(view: DebateView, argument: Argument): DebateView {
  if (argument.seq <= view.last.seq) return view;
  const joins = argument.seq === lastSeq(view) + 1;
  return {
    ...view,
    items: joins ? [...view.items, argument] : view.items,
    last: argument,
    newest: [...view.newest, argument].slice(-NEWEST),
    ruledAt: isRuling(argument) ? argument.created_at : view.ruledAt,
    debate: { ...view.debate, last_seq: argument.seq, updated_at: argument.created_at },
  };
}

/** Takes in what is told of the issues. */
export function withIssues(view: DebateView, issues: readonly Issue[], debate: Debate): DebateView {
  return {
    ...view,
    debate,
    issues,
    issuesChangedSeq: Math.max(view.issuesChangedSeq, newestChange(issues)),
  };
}

const newestChange = (issues: readonly Issue[]) =>
  issues.reduce((newest, issue) => Math.max(newest, issue.changed_seq), 0);

/** Adds a page directly before or after the window; any other page is ignored. */
export function joinPage(view: DebateView, page: readonly Argument[]): DebateView {
  const first = page[0];
  const last = page.at(-1);
  if (first === undefined || last === undefined) return view;
  if (last.seq === firstSeq(view) - 1) return { ...view, items: [...page, ...view.items] };
  if (first.seq === lastSeq(view) + 1) return { ...view, items: [...view.items, ...page] };
  return view;
}

/** Replaces the window with a page from elsewhere in the debate. */
export function jumpToPage(view: DebateView, page: readonly Argument[]): DebateView {
  return page.length === 0 ? view : { ...view, items: page, epoch: view.epoch + 1 };
}
