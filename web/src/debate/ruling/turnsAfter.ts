import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Turn } from '@/api/types';
import type { Translate } from '@/i18n';
import { useDebounced } from '@/lib/useDebounced';
import type { DecisionModel } from './decisionModel';
import { needs } from './issueDecisions';
import type { RulingOutcome } from './rulingOutcome';

const PAUSE_MS = 350;
/** In place of what a person writes. */
const UNWRITTEN = '…';

/** What each role would be asked after the ruling, as the server tells it; undefined where it is not asked. */
export function useTurnsAfter(model: DecisionModel, outcome: RulingOutcome, close: boolean) {
  const { debate, request, rules, mayRule } = model;
  const { choice } = model.draft();
  // What is written changes nothing of it, and may not be complete yet.
  const changes = outcome.changes.map(({ change: { change, issue, severity } }) => ({
    change,
    ...(issue !== undefined ? { issue } : { title: UNWRITTEN }),
    ...(severity !== undefined && { severity }),
    ...(needs('note', change, rules) && { note: UNWRITTEN }),
  }));
  const key = JSON.stringify([choice, close, changes]);
  const settled = useDebounced(key, PAUSE_MS);
  const decided = choice !== null || changes.length > 0 || outcome.words !== '';
  const query = useQuery({
    queryKey: ['turns-after', debate.id, debate.last_seq, settled],
    queryFn: ({ signal }) =>
      api.turnsAfter(
        debate.id,
        {
          content: UNWRITTEN,
          close,
          ...(choice !== null && { chosen_option: choice }),
          issue_changes: changes,
        },
        signal,
      ),
    // Once it was ruled, nothing is asked any more.
    enabled: mayRule && decided && settled === key && debate.last_seq === request.argument.seq,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });
  return { turns: decided ? query.data : undefined, old: settled !== key || query.isPlaceholderData };
}

/** `Proposer: fix I2, I3 · Opponent: waits` */
export function askedText(t: Translate, turns: readonly Turn[]): string {
  if (turns.every(({ allowed }) => allowed.length === 0)) return t('asked.closed');
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
