import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import {
  type AppealOption,
  type Argument,
  type Debate,
  type DebateContext,
  type Issue,
  type Move,
  type Plan,
  SIDES,
  type Turn,
} from '@/api/types';
import { countAll } from '@/issues/ledger';

/** The newest arguments: what is asked, the Stop before it, and what each side said last. */
const NEWEST = 5;

/** What a debate asks the arbitrator. */
export interface RulingRequest {
  /** The newest argument: an appeal, a request to finish, a Stop, or what arrived late after one. */
  argument: Argument;
  /** Whether the sides ask to finish. */
  toFinish: boolean;
  /** Whether both can have agreed to that, so that one click closes. */
  agreed: boolean;
  /** The Stop on which the ruling is due, if there was one. */
  stop: Argument | null;
  /** What each side said last, apart from what is asked: the proposer first. */
  sides: readonly Argument[];
  /** It has the task. */
  motion: Argument;
  /** When the newest ruling was made. */
  ruledAt: string | null;
  /** The rulings that fit, the best first. */
  moves: readonly Move[];
  /** The issues on which a ruling may decide, with their histories: what the appeal refers to, others that are not settled, and settled ones that it may open again. */
  issues: readonly Issue[];
  /** All issues, in the order of their numbers. */
  ledger: readonly Issue[];
}

export function requestIn(context: DebateContext, histories: readonly Issue[]): RulingRequest {
  const { motion, arguments: args, earlier_rulings, turns } = context;
  const items = [motion, ...args];
  const argument = items.at(-1) ?? motion;
  const asked = context.debate.ruling_request;
  // A late delivery does not make the ruling due: the Stop before it did.
  const stop = asked?.on === 'INTERVENTION' ? items.find(({ seq }) => seq === asked.seq) : undefined;
  const ruling = args.findLast(({ type }) => type === 'RULING') ?? earlier_rulings.at(-1);
  const unsettled = context.issues.map((issue) => histories.find(({ id }) => id === issue.id) ?? issue);
  const reopenable = histories.filter(({ settled, may }) => settled && may?.arbitrator.length);
  return {
    argument,
    toFinish: asked?.on === 'RESOLUTION',
    agreed: asked?.agreed === true,
    stop: stop ?? null,
    motion,
    sides: SIDES.flatMap(
      (side) => items.findLast(({ role, id }) => role === side && id !== argument.id) ?? [],
    ),
    ruledAt: ruling?.created_at ?? null,
    moves: rulingsIn(turns),
    issues: [...unsettled.toSorted((a, b) => Number(b.referred) - Number(a.referred)), ...reopenable],
    ledger: histories,
  };
}

/** The rulings that the server says fit now; none where no ruling is due. */
export function rulingsIn(turns: readonly Turn[]): readonly Move[] {
  const moves = turns.find(({ role }) => role === 'arbitrator')?.moves ?? [];
  return moves.filter(({ type }) => type === 'RULING');
}

/** What a debate asks; fetched again when it has a new argument. */
export function useRulingRequest({ id, last_seq, issue_counts }: Debate) {
  return useQuery({
    queryKey: ['ruling-request', id, last_seq],
    queryFn: async ({ signal }) => {
      const [context, histories] = await Promise.all([
        api.debate(id, { limit: NEWEST }, signal),
        countAll(issue_counts) > 0 ? api.issueHistories(id, signal) : [],
      ]);
      return requestIn(context, histories);
    },
    // Arguments never change.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

/** The plan, if the opponent cannot have agreed to it. */
export function unseenPlan({ plan }: Debate): Plan | null {
  return plan !== null && !plan.seen ? plan : null;
}

/** The text that a chosen option puts before what was written; none for a free-form option. */
export function optionText(option: AppealOption | undefined): string {
  if (option === undefined || option.free_form) return '';
  return option.detail ? `**${option.label}**\n\n${option.detail}` : `**${option.label}**`;
}
