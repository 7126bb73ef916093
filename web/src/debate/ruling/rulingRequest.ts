import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '@/api/client';
import {
  type AppealOption,
  type Argument,
  type Debate,
  type Issue,
  type Move,
  type Plan,
  SIDES,
  type Turn,
} from '@/api/types';
import { type LedgerSource, useLedger } from '@/issues/useLedger';
import { type DebateView, fromContext, NEWEST } from '../debateView';

/** What a debate asks the arbitrator. */
export interface RulingRequest {
  /** An appeal, a request to finish, a Stop, or what arrived late after one. */
  argument: Argument;
  /** Whether the sides ask to finish. */
  toFinish: boolean;
  /** Whether both can have agreed to that, so that one click closes. */
  agreed: boolean;
  /** Whether it may go on without a word: it was only stopped, and nothing is asked. */
  mayGoOn: boolean;
  /** The Stop on which the ruling is due, if there was one. */
  stop: Argument | null;
  /** What each side said last, apart from what is asked: the proposer first. */
  sides: readonly Argument[];
  /** It has the task. */
  motion: Argument;
  /** The arguments that are loaded. */
  args: readonly Argument[];
  /** When the newest ruling was made. */
  ruledAt: string | null;
  /** The rulings that fit, the best first. */
  moves: readonly Move[];
  /** The issues on which a ruling may decide, with their histories: what the appeal refers to, others that are not settled, and settled ones that it may open again. */
  issues: readonly Issue[];
  /** All issues, in the order of their numbers. */
  ledger: readonly Issue[];
}

type Asking = Pick<DebateView, 'debate' | 'motion' | 'items' | 'newest' | 'ruledAt' | 'turns'>;

export function requestIn(asking: Asking, ledger: readonly Issue[]): RulingRequest {
  const { debate, motion, items, newest, ruledAt, turns } = asking;
  const args = [motion, ...newest];
  const asked = debate.ruling_request;
  const stop = asked?.on === 'INTERVENTION' ? args.find(({ seq }) => seq === asked.seq) : undefined;
  // After a Stop it is what was delivered late, if anything was. A ruling is told before what is asked then.
  const late = stop && args.findLast(({ seq, role }) => seq > stop.seq && role !== stop.role);
  const argument = late ?? args.find(({ seq }) => seq === asked?.seq) ?? newest.at(-1) ?? motion;
  const unsettled = ledger.filter(({ settled }) => !settled);
  const reopenable = ledger.filter(({ settled, may }) => settled && may?.arbitrator.length);
  return {
    argument,
    toFinish: asked?.on === 'RESOLUTION',
    agreed: asked?.agreed === true,
    mayGoOn: stop !== undefined && (late === undefined || late.type === 'CLAIM'),
    stop: stop ?? null,
    motion,
    args: items,
    sides: SIDES.flatMap(
      (side) => args.findLast(({ role, id }) => role === side && id !== argument.id) ?? [],
    ),
    ruledAt,
    moves: rulingsIn(turns),
    issues: [...unsettled.toSorted((a, b) => Number(b.referred) - Number(a.referred)), ...reopenable],
    ledger,
  };
}

/** The rulings that the server says fit now; none where no ruling is due. */
export function rulingsIn(turns: readonly Turn[]): readonly Move[] {
  const moves = turns.find(({ role }) => role === 'arbitrator')?.moves ?? [];
  return moves.filter(({ type }) => type === 'RULING');
}

/** What an open debate asks, and with it all of a ruling's parts; undefined until its issues have arrived. */
export function useRulingRequest(source: LedgerSource, view: DebateView | undefined, wanted = true) {
  const { data: ledger, isError, refetch } = useLedger(source, wanted);
  const { debate, motion, items, newest, ruledAt, turns } = view ?? {};
  const request = useMemo(
    () =>
      ledger && debate && motion && items && newest && turns && ruledAt !== undefined
        ? requestIn({ debate, motion, items, newest, ruledAt, turns }, ledger)
        : undefined,
    [debate, motion, items, newest, ruledAt, turns, ledger],
  );
  return { request, isError, refetch };
}

/** The same of a debate that is not open, whose newest arguments are fetched once it is wanted. */
export function useFetchedRequest(debate: Debate, wanted: boolean) {
  const { id, last_seq } = debate;
  const newest = useQuery({
    queryKey: ['newest', id, last_seq],
    queryFn: ({ signal }) => api.debate(id, { limit: NEWEST }, signal),
    select: fromContext,
    enabled: wanted,
    // Arguments never change.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  // Which arguments changed issues is not known here before they have arrived: any may have.
  const source = { debate, issuesChangedSeq: last_seq };
  const { request, isError, refetch } = useRulingRequest(source, newest.data, wanted);
  return {
    request,
    isError: isError || newest.isError,
    refetch: () => Promise.all([refetch(), newest.refetch()]),
  };
}

/** The plan, if the opponent cannot have agreed to it. */
export function unseenPlan({ plan }: Debate): Plan | null {
  return plan !== null && !plan.seen ? plan : null;
}

/** The text that a chosen option puts before what was written: without its details where the ruling departs from it. None for a free-form option. */
export function optionText(option: AppealOption | undefined, departs: boolean): string {
  if (option === undefined || option.free_form) return '';
  return option.detail && !departs ? `**${option.label}**\n\n${option.detail}` : `**${option.label}**`;
}
