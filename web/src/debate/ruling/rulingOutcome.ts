import type { AppealOption, Issue } from '@/api/types';
import type { Translate } from '@/i18n';
import { contentOf, type PlanComment, placeLabel } from '@/plan/lineComments';
import { joined, type TextPart } from '@/ui/TextParts';
import { optionLabel } from '../OptionList';
import { groupParts, groupsOf, idRanges, verbText } from './changeGroups';
import type { Draft } from './draft';
import {
  type ChangeRules,
  changesOf,
  type Decision,
  departures,
  isSame,
  type KeyedChange,
  needs,
} from './issueDecisions';
import { optionText, type RulingRequest } from './rulingRequest';

/** What a draft comes to, were it sent now. */
export interface RulingOutcome {
  chosen: AppealOption | undefined;
  changes: readonly KeyedChange[];
  /** The option's text, what was written, and the comments on the plan; empty if there is none of these. */
  words: string;
  /** Whether it decides about issues, but takes none of the options that are offered. */
  takesNone: boolean;
  /** Whether it says nothing: no words, and no decision that would be enough. */
  missing: boolean;
  /** The ids of the issues whose decisions lack the reason that they need. */
  unexplained: readonly string[];
  /** Whether it asks for something to be done: a change that settles nothing, or a comment on the plan. */
  asksForMore: boolean;
  /** The ids of the issues on which the ruling decides what the chosen option does, in the same words. */
  asOffered: ReadonlySet<string>;
  /** What the chosen option decides and the ruling does not. */
  departed: readonly (readonly [string, Decision])[];
  /** The issues that the appeal refers and that the ruling leaves as they are. */
  left: readonly Issue[];
  /** The issues that it only gives another severity, and of which nothing is decided before, either. */
  regraded: readonly Issue[];
}

/** From so many issues on that an option decides alone, the summary counts them: which become what stands at the option. */
const MANY_AS_OFFERED = 2;
const NONE: ReadonlySet<string> = new Set();

export function outcomeOf(
  draft: Draft,
  { argument, issues }: Pick<RulingRequest, 'argument' | 'issues'>,
  rules: ChangeRules,
): RulingOutcome {
  const chosen = argument.options?.[draft.choice ?? -1];
  const changes = changesOf(draft, issues, rules, draft.text);
  const departed = departures(draft.decisions, draft.offered);
  const written = [optionText(chosen, departed.length > 0), draft.text.trim()].filter(Boolean).join('\n\n');
  const words = contentOf(written, draft.comments);
  return {
    chosen,
    changes,
    words,
    takesNone:
      chosen === undefined &&
      argument.options?.some(({ free_form }) => !free_form) === true &&
      changes.some(({ change }) => change.title !== ''),
    missing: words === '' && (changes.length === 0 || chosen?.free_form === true),
    unexplained: changes.flatMap(({ key, change }) =>
      needs('note', change.change, rules) && !change.note ? key : [],
    ),
    asksForMore: draft.comments.length > 0 || changes.some(({ change }) => !rules[change.change]?.settles),
    asOffered: new Set(
      Object.entries(draft.offered)
        .filter(([id, offer]) => isSame(draft.decisions[id], offer))
        .map(([id]) => id),
    ),
    departed,
    left: issues.filter(({ id, referred }) => referred && !changes.some(({ key }) => key === id)),
    regraded: issues.filter(
      ({ id, upheld }) =>
        !upheld && changes.some(({ key, change: { change } }) => key === id && change === 'regrade'),
    ),
  };
}

/** What a ruling that says nothing lacks. Of several options one would do, but the one that is none of them. */
export const missingKey = (
  { argument: { options } }: Pick<RulingRequest, 'argument'>,
  { chosen }: RulingOutcome,
) => (options?.length && chosen === undefined ? 'ruling.missing.option' : 'ruling.missing');

/** What is sent, such as `To the left · I2 upheld, not deferred as offered · v2, line 7: “Why?”`, where the option is in view. */
export function summaryOf(
  t: Translate,
  outcome: RulingOutcome,
  comments: readonly PlanComment[],
): readonly TextPart[] {
  const { changes, asOffered, regraded } = outcome;
  // Of one that is only regraded it is told that it stays as it is.
  const counted = changes
    .map(({ key }) => key)
    .filter((key) => asOffered.has(key) && !regraded.some(({ id }) => id === key));
  return partsOf(t, outcome, comments, counted.length >= MANY_AS_OFFERED ? new Set(counted) : NONE);
}

/** The same with all that the option decides, for where that is not in view. */
export const wholeSummaryOf = (t: Translate, outcome: RulingOutcome, comments: readonly PlanComment[]) =>
  partsOf(t, outcome, comments, NONE);

function partsOf(
  t: Translate,
  outcome: RulingOutcome,
  comments: readonly PlanComment[],
  /** The ids of the issues that are only counted. */
  counted: ReadonlySet<string>,
): readonly TextPart[] {
  const { chosen, takesNone, changes, left, regraded, departed } = outcome;
  const decided = changes.filter(({ change }) => change.title !== '');
  const told = decided
    .filter(({ key }) => !counted.has(key))
    // The text stands beside it.
    .map(({ key, change, byWords }) => ({ key, change: byWords ? { ...change, note: '' } : change }));
  const named = new Set([...decided.map(({ key }) => key), ...left.map(({ id }) => id)]);
  /** With its note, and with what the option offers instead. */
  const beside = (id: string, said: readonly TextPart[], note = ''): readonly TextPart[] => {
    const [, offer] = departed.find(([departs]) => departs === id) ?? [];
    return [
      ...said,
      ...(offer === undefined ? [] : [t('ruling.summary.departs', { offered: verbText(t, offer) })]),
      ...quoted(note),
    ];
  };
  const stays = (issues: readonly Issue[], status: string): TextPart => ({
    warning: t('ruling.summary.left', {
      ids: idRanges(issues.map(({ id }) => id)),
      status: t.label('status', status),
    }),
  });
  const departs = ({ id }: Issue) => departed.some(([departing]) => departing === id);
  const alike = left.filter((issue) => !departs(issue));
  const keeps = [
    ...left.filter(departs).map((issue) => beside(issue.id, [stays([issue], issue.status)])),
    // Of many that are left the statuses are told once.
    ...statusesOf(alike).map((status) => [
      stays(
        alike.filter((issue) => issue.status === status),
        status,
      ),
    ]),
  ];
  // Another severity settles nothing, and upholds nothing.
  const still = (keys: readonly string[]) =>
    statusesOf(regraded.filter(({ id }) => keys.includes(id))).map(
      (status, index) => `${index > 0 ? ', ' : t('ruling.summary.still')}“${t.label('status', status)}”`,
    );
  return joined([
    ...(takesNone ? [[t('ruling.summary.none')]] : []),
    ...(chosen === undefined ? [] : [[{ written: optionLabel(chosen, t('ruling.other')) }]]),
    ...(counted.size === 0 ? [] : [[t('ruling.summary.offered', { n: decided.length - told.length })]]),
    ...groupsOf(told, (key) => departed.some(([id]) => id === key)).map((group) =>
      beside(
        group.keys[0] ?? '',
        [...groupParts(t, group), ...still(group.keys)],
        group.change.note ?? undefined,
      ),
    ),
    ...comments.map((comment) => [placeLabel(t, comment.version, comment), ...quoted(comment.text.trim())]),
    ...(chosen === undefined && decided.length === 0 ? [] : keeps),
    ...departed.filter(([id]) => !named.has(id)).map(([id]) => beside(id, [id])),
  ]);
}

const statusesOf = (issues: readonly Issue[]) => [...new Set(issues.map(({ status }) => status))];

/** A note after what it belongs to. */
const quoted = (text: string): readonly TextPart[] => (text === '' ? [] : [': ', { written: `“${text}”` }]);
