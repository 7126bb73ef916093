import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import { MAX_ISSUE_CHANGES } from '@/api/limits';
import type { Turn } from '@/api/types';
import type { Translate } from '@/i18n';
import { useDebounced } from '@/lib/useDebounced';
import type { DecisionModel } from './decisionModel';
import { needs } from './issueDecisions';
import type { RulingOutcome } from './rulingOutcome';

const PAUSE_MS = 350;
/** In place of what a person writes. */
const UNWRITTEN = '…';

/** What each role would be asked after a ruling that continues, as the server tells it; `wanted` once anything is decided. */
export function useTurnsAfter(model: DecisionModel, outcome: RulingOutcome) {
  const { debate, request, rules, mayRule } = model;
  const { choice } = model.draft();
  // What is written changes nothing of it, and may not be complete yet.
  const changes = outcome.changes.map(({ change: { change, issue, severity } }) => ({
    change,
    ...(issue !== undefined ? { issue } : { title: UNWRITTEN }),
    ...(severity !== undefined && { severity }),
    ...(needs('note', change, rules) && { note: UNWRITTEN }),
  }));
  const key = JSON.stringify([choice, changes]);
  const settled = useDebounced(key, PAUSE_MS);
  // Of the two ways out of a request to finish, both are explained before anything is written.
  const wanted = request.toFinish || choice !== null || changes.length > 0 || outcome.words !== '';
  const query = useQuery({
    queryKey: ['turns-after', debate.id, debate.last_seq, settled],
    queryFn: async ({ signal }) => {
      const ruling = {
        content: UNWRITTEN,
        ...(choice !== null && { chosen_option: choice }),
        issue_changes: changes,
      };
      return (await api.previewRuling(debate.id, ruling, signal)).turns ?? [];
    },
    // Once it was ruled, nothing is asked any more.
    enabled: mayRule && wanted && settled === key && debate.last_seq === request.argument.seq,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });
  return { wanted, turns: query.data, old: settled !== key || query.isPlaceholderData };
}

/** The ids that the server would give to so many new issues; empty until it has told them. */
export function useNewIds({ debate, request, mayRule }: DecisionModel, count: number): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ['new-ids', debate.id, debate.last_seq, count],
    queryFn: async ({ signal }) => {
      const raise = { change: 'raise', severity: 'medium', title: UNWRITTEN };
      const ruling = { content: UNWRITTEN, issue_changes: Array.from({ length: count }, () => raise) };
      const { argument } = await api.previewRuling(debate.id, ruling, signal);
      return (argument.issue_changes ?? []).map(({ issue }) => issue);
    },
    enabled: mayRule && count > 0 && count <= MAX_ISSUE_CHANGES && debate.last_seq === request.argument.seq,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });
  return data;
}

/** `Proposer: fix I2, I3 · Opponent: waits` */
export function askedText(t: Translate, turns: readonly Turn[]): string {
  return turns
    .filter(({ role }) => role !== 'arbitrator')
    .map(
      ({ role, moves: [move] }) => `${t.label('role', role)}: ${move ? moveText(t, move) : t('asked.waits')}`,
    )
    .join(' · ');
}

const MOST_ISSUES = 6;

function moveText(t: Translate, { type, issue_changes }: Turn['moves'][number]): string {
  const changes = Object.entries(issue_changes).filter(([, ids]) => ids.length > 0);
  if (changes.length === 0) return t.label('asked', type);
  return changes
    .map(([change, ids]) => {
      const more = ids.length > MOST_ISSUES ? ` +${ids.length - MOST_ISSUES}` : '';
      return `${t.label('asked', change)} ${ids.slice(0, MOST_ISSUES).join(', ')}${more}`;
    })
    .join(', ');
}
