import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '@/api/client';
import type { Argument } from '@/api/types';
import { type Citing, citedVersions, newestCitedOf, newestCiting, newestRuling } from './cited';

const PAGE = 60;

/** What the arguments of a debate say about the plan. */
export interface CitedPlan {
  /** Consecutive arguments up to the newest, back to the newest citation. */
  args: readonly Citing[];
  /** The argument that cites the plan; null if none does. */
  citing: Citing | null;
  /** When the newest ruling was made; null if there is none. */
  ruledAt: string | null;
}

/** What is loaded of the debate. */
export interface Loaded {
  debateId: string;
  items: readonly Argument[];
  last: Argument;
}

/**
 * Finds the newest citation of the proposer and the newest ruling. The loaded arguments usually have both; only for a
 * citation further back are earlier ones fetched.
 */
export function useCitedPlan({ debateId, items, last }: Loaded) {
  const known = useRef<readonly Citing[]>([]);
  return useQuery({
    queryKey: ['citedPlan', debateId, last.seq],
    queryFn: async ({ signal }): Promise<CitedPlan> => {
      const atEnd = items.at(-1)?.seq === last.seq;
      let args: readonly Citing[] = atEnd ? joined(known.current, items) : known.current;
      let newest = args.at(-1)?.seq ?? 0;
      while (newest > 0 && newest < last.seq) {
        const page = await fetchArguments(debateId, newest, newest + 1 + PAGE, signal);
        if (page.length === 0) break;
        args = [...args, ...page];
        newest = args.at(-1)?.seq ?? last.seq;
      }
      while (newestCiting(args) === null && (args[0]?.seq ?? last.seq + 1) > 1) {
        const first = args[0]?.seq ?? last.seq + 1;
        const page = await fetchArguments(debateId, Math.max(0, first - 1 - PAGE), first, signal);
        if (page.length === 0) break;
        args = [...page, ...args];
      }
      known.current = args;
      const ruling = newestRuling(args);
      const loadedAll = (args[0]?.seq ?? 1) <= 1;
      return {
        args,
        citing: newestCiting(args),
        ruledAt: ruling?.created_at ?? (loadedAll ? null : await newestRulingBefore(debateId, signal)),
      };
    },
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

/** The loaded arguments, after those that were fetched before. */
function joined(known: readonly Citing[], items: readonly Argument[]): readonly Citing[] {
  const first = items[0]?.seq ?? 1;
  const reaches = (known.at(-1)?.seq ?? 0) >= first - 1;
  return reaches ? [...known.filter(({ seq }) => seq < first), ...items] : items;
}

async function fetchArguments(
  debateId: string,
  after_seq: number,
  before_seq: number,
  signal: AbortSignal,
): Promise<readonly Citing[]> {
  const range = { after_seq, before_seq, limit: PAGE };
  const { motion, arguments: args } = await api.debate(debateId, range, signal);
  return after_seq < motion.seq ? [motion, ...args] : args;
}

async function newestRulingBefore(debateId: string, signal: AbortSignal): Promise<string | null> {
  return (await api.rulings(debateId, signal)).at(-1)?.created_at ?? null;
}

/**
 * The newest version that the proposer cited of the document in its newest citation; of several documents there the one
 * whose version was made last. Undefined until it is known.
 */
export function useChosenPlan(
  found: CitedPlan | undefined,
): { documentId: string; version: number } | null | undefined {
  const plan = useLastMade(found?.citing ?? null);
  if (!plan || found === undefined) return plan;
  return { ...plan, version: newestCitedOf(plan.documentId, found.args) ?? plan.version };
}

function useLastMade(citing: Citing | null): { documentId: string; version: number } | null | undefined {
  const cited = citing === null ? [] : citedVersions(citing);
  const several = cited.length > 1;
  const created = useQueries({
    queries: (several ? cited : []).map(({ documentId, version }) => ({
      queryKey: ['document', documentId, version],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.document(documentId, version, signal),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  if (!several) return cited[0] ?? null;
  if (created.some(({ isPending }) => isPending)) return undefined;
  const times = created.map(({ data }) => Date.parse(data?.version.created_at ?? '') || 0);
  // The last of the text wins among those of the same time.
  return cited[times.lastIndexOf(Math.max(...times))] ?? null;
}
