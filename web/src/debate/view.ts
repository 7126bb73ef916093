import type { Argument, Debate, DebateContext } from '@/api/types';
import type { Waiting } from '@/live/protocol';

/**
 * What is known of one debate: a contiguous window of its arguments (never the whole history of a long one), and its
 * newest argument, which the ruling panel needs even while the window is elsewhere.
 */
export interface View {
  debate: Debate;
  motion: Argument;
  items: readonly Argument[];
  last: Argument;
  /** Null until the server has said who waits. */
  waiting: readonly Waiting[] | null;
  /** Whether the newest change added arguments in front: the list then keeps its place from the end. */
  prepended: boolean;
  /** Counts how often the window moved elsewhere, so that the list starts afresh. */
  epoch: number;
}

export function fromContext({ debate, motion, arguments: args }: DebateContext): View {
  const items = withMotion(motion, args);
  return { debate, motion, items, last: items.at(-1) ?? motion, waiting: null, prepended: false, epoch: 0 };
}

/** The contract tells the motion apart; in the window it is the first of the arguments. */
export function withMotion(motion: Argument, args: readonly Argument[]): readonly Argument[] {
  const first = args[0];
  return first === undefined || first.seq === motion.seq + 1 ? [motion, ...args] : args;
}

export function firstSeq(view: View): number {
  return view.items[0]?.seq ?? 1;
}

export function lastSeq(view: View): number {
  return view.items.at(-1)?.seq ?? view.motion.seq;
}

export function atStart(view: View): boolean {
  return firstSeq(view) <= view.motion.seq;
}

export function atEnd(view: View): boolean {
  return lastSeq(view) >= view.last.seq;
}

/** A new argument joins the window only where the window reaches the end; elsewhere it is just counted. */
export function appended(view: View, argument: Argument): View {
  if (argument.seq <= view.last.seq) return view;
  const joins = argument.seq === lastSeq(view) + 1;
  return {
    ...view,
    items: joins ? [...view.items, argument] : view.items,
    last: argument,
    debate: { ...view.debate, last_seq: argument.seq, updated_at: argument.created_at },
    prepended: false,
  };
}

/** Joins a page that touches the window, before or after it; any other page is refused. */
export function joined(view: View, page: readonly Argument[]): View {
  const first = page[0];
  const last = page.at(-1);
  if (first === undefined || last === undefined) return view;
  if (last.seq === firstSeq(view) - 1) return { ...view, items: [...page, ...view.items], prepended: true };
  if (first.seq === lastSeq(view) + 1) return { ...view, items: [...view.items, ...page], prepended: false };
  return view;
}

export function moved(view: View, page: readonly Argument[]): View {
  return page.length === 0 ? view : { ...view, items: page, prepended: false, epoch: view.epoch + 1 };
}

export function stateChanged(view: View, change: { state: string; updated_at: string }): View {
  return { ...view, debate: { ...view.debate, ...change }, prepended: false };
}
