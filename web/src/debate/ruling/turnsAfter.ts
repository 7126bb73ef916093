import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Turn } from '@/api/types';
import type { Translate } from '@/i18n';
import { useDebounced } from '@/lib/useDebounced';
import type { DecisionModel } from './decisionModel';
import { areComplete } from './issueDecisions';
import type { RulingOutcome } from './rulingOutcome';

const PAUSE_MS = 350;

/** What each role would be asked after the ruling, as the server tells it; undefined where it is not asked. */
export function useTurnsAfter(
  model: DecisionModel,
  outcome: RulingOutcome,
  choice: number | null,
  close: boolean,
) {
  const { debate, rules, mayRule } = model;
  const { changes } = outcome;
  // What is written changes nothing of it.
  const key = JSON.stringify([choice, close, changes.map(({ change }) => ({ ...change, note: undefined }))]);
  const settled = useDebounced(key, PAUSE_MS);
  const decided = choice !== null || changes.length > 0;
  const query = useQuery({
    queryKey: ['turns-after', debate.id, debate.last_seq, settled],
    queryFn: ({ signal }) =>
      api.turnsAfter(
        debate.id,
        {
          content: outcome.words || '…',
          close,
          ...(choice !== null && { chosen_option: choice }),
          issue_changes: changes.map(({ change }) => change),
        },
        signal,
      ),
    enabled: mayRule && decided && settled === key && areComplete(changes, rules),
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
