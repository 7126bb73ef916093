import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '@/api/client';
import { MAX_ISSUE_CHANGES } from '@/api/limits';
import type { Issue, Move, Turn } from '@/api/types';
import type { Translate } from '@/i18n';
import { mergeIssues } from '@/issues/ledger';
import { shortened } from '@/lib/shortened';
import { useSelected } from '@/lib/store';
import { useDebounced } from '@/lib/useDebounced';
import type { TextPart } from '@/ui/TextParts';
import { idRanges } from './changeGroups';
import type { DecisionModel } from './decisionModel';
import { type KeyedChange, needs } from './issueDecisions';
import { outcomeOf } from './rulingOutcome';

const PAUSE_MS = 350;
/** In place of what a person writes, which changes nothing of it and may not be complete yet. */
const UNWRITTEN = '…';

/** What the draft would lead to if the debate went on, as the server tells it. */
export interface Preview {
  /** Whether anything was decided or written; on a request to finish always, since both ways out of it are explained. */
  wanted: boolean;
  /** What each role would be asked. */
  turns: readonly Turn[] | undefined;
  /** The issues that it changes, as they would be in those turns. */
  told: readonly Issue[];
  /** Whether nothing would keep the proposer from finishing, where something does now. */
  unblocked: boolean;
  /** The ids of the issues that the ruling raises. */
  newIds: readonly string[];
  /** Whether what is here was told for what the draft had before. */
  old: boolean;
  /** The issues that the draft changes, as it leaves them; undefined until that is told. */
  changed: readonly Issue[] | undefined;
}

export function usePreview(model: DecisionModel): Preview {
  const { debate, request, mayRule } = model;
  const ruling = useSelected(model.stored, () => rulingText(model));
  const settled = useDebounced(ruling, PAUSE_MS);
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['preview', debate.id, debate.last_seq, settled],
    queryFn: ({ signal }) => api.previewRuling(debate.id, JSON.parse(settled), signal),
    // Once it was ruled, nothing is asked any more.
    enabled: mayRule && ruling !== '' && settled === ruling && debate.last_seq === request.argument.seq,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });
  const old = data === undefined || isPlaceholderData || settled !== ruling || ruling === '';
  const raised = (data?.argument.issue_changes ?? []).filter(({ title }) => title !== undefined);
  return {
    wanted: ruling !== '',
    turns: data?.turns,
    told: data?.changed_issues ?? [],
    unblocked: debate.issue_counts.blocking > 0 && data?.issue_counts?.blocking === 0,
    newIds: raised.map(({ issue }) => issue),
    old,
    changed: old ? undefined : data.changed_issues,
  };
}

/**
 * The issues that a ruling would leave unsettled, those that it raises among them under the titles that are typed; null where it changes
 * issues and the server has not told what it makes of them.
 */
export function unsettledAfter(
  ledger: readonly Issue[],
  changes: readonly KeyedChange[],
  { changed, newIds }: Pick<Preview, 'changed' | 'newIds'>,
): readonly Issue[] | null {
  if (changes.length > 0 && changed === undefined) return null;
  const raised = changes.flatMap(({ change: { title } }) => title ?? []);
  const titles = new Map(newIds.map((id, index) => [id, raised[index]]));
  return mergeIssues(ledger, changed ?? [])
    .filter(({ settled }) => !settled)
    .map((issue) => ({ ...issue, title: titles.get(issue.id) || issue.title }));
}

/** The ruling that is asked about; empty if nothing is. */
function rulingText({ request, rules, draft }: DecisionModel): string {
  const now = draft();
  const { changes, words } = outcomeOf(now, request, rules);
  const wanted = request.toFinish || now.choice !== null || changes.length > 0 || words !== '';
  if (!wanted || changes.length > MAX_ISSUE_CHANGES) return '';
  return JSON.stringify({
    content: UNWRITTEN,
    ...(now.choice !== null && { chosen_option: now.choice }),
    issue_changes: changes.map(({ change: { change, issue, severity } }) => ({
      change,
      ...(issue !== undefined ? { issue } : { title: UNWRITTEN }),
      ...(severity !== undefined && { severity }),
      ...(needs('note', change, rules) && { note: UNWRITTEN }),
    })),
  });
}

/** An issue as it will be then; without a title where the ruling raises it. */
type FindIssue = (id: string) => { title?: string | undefined; upheld: boolean };

/** `Proposer has to fix I2 “No bound” · Opponent checks I3, I4`: an issue that is asked for alone is named by its title. */
export function askedParts(t: Translate, turns: readonly Turn[], find: FindIssue): readonly TextPart[] {
  // What a side fixes the other one checks.
  const fixes = turns.some(({ moves: [move] }) => (move?.issue_changes.fix?.length ?? 0) > 0);
  return turns
    .filter(({ role }) => role !== 'arbitrator')
    .flatMap(({ role, action, moves: [move] }, index) => [
      `${index > 0 ? ' · ' : ''}${t.label('role', role)} `,
      ...(move ? moveParts(t, move, action, find) : [t(fixes ? 'asked.checks' : 'asked.waits')]),
    ]);
}

function moveParts(
  t: Translate,
  { type, issue_changes }: Move,
  action: string,
  find: FindIssue,
): readonly TextPart[] {
  const changes = Object.entries(issue_changes).flatMap(([change, ids]) => {
    // What was upheld can no longer be disputed.
    const isUpheld = (id: string) => change === 'fix' && find(id).upheld;
    return [
      [`${change}.upheld`, ids.filter(isUpheld)] as const,
      [change, ids.filter((id) => !isUpheld(id))] as const,
    ].filter(([, some]) => some.length > 0);
  });
  if (changes.length === 0) return [t.find(`asked.${action}.${type}`) ?? t.label('asked', type)];
  return changes.flatMap(([change, ids], index) => {
    const asked = `${index > 0 ? ', ' : ''}${t.label('asked', change)} ${idRanges(ids)}`;
    const title = ids.length === 1 ? find(ids[0] ?? '').title : undefined;
    return title ? [`${asked} `, { written: `“${shortened(title, MOST_LETTERS)}”` }] : [asked];
  });
}

/** The bar has no room for a long title. */
const MOST_LETTERS = 60;
