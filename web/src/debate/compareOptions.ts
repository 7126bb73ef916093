import type { AppealOption, Issue, RulingChange } from '@/api/types';
import type { Translate } from '@/i18n';
import { shortened } from '@/lib/shortened';
import { withoutMarks } from '@/ui/InlineText';
import { idRanges, verbText } from './ruling/changeGroups';
import { offerOf } from './ruling/issueDecisions';

/** What is decided of fewer issues is told with each option. */
const LEAST_ISSUES = 4;
/** Columns for more would be too narrow on a phone. */
const MOST_COLUMNS = 6;
/** So many issues are shown at once and in their order. */
export const FEW_ISSUES = 6;
/** So many that are the same in all options stand among the others. */
const FEW_SAME = 3;

/** In letters: about a line. */
const SHORT_TITLE = 60;

/** What options decide, issue by issue. */
export interface Comparison {
  /** The indices of the options, without those of which only the arbitrator's own words tell what they decide. */
  columns: readonly number[];
  rows: readonly ComparedIssue[];
}

export interface ComparedIssue {
  issue: Issue;
  /** What the option of each column makes of it; null where it leaves it. */
  made: readonly (RulingChange | null)[];
  /** Whether that is the same in all of several columns. */
  same: boolean;
}

/** The issues that the options decide or the appeal refers, in the order of the ledger; null if the options decide too few of them. */
export function compareOptions(
  options: readonly AppealOption[],
  ledger: readonly Issue[],
): Comparison | null {
  const columns = options.flatMap(({ free_form, issue_changes = [] }, index) =>
    free_form && issue_changes.length === 0 ? [] : index,
  );
  const decided = new Set(
    columns.flatMap((index) => options[index]?.issue_changes ?? []).map(({ issue }) => issue),
  );
  if (decided.size < LEAST_ISSUES || columns.length > MOST_COLUMNS) return null;
  const rows = ledger
    .filter(({ id, referred }) => referred || decided.has(id))
    .map((issue) => {
      const made = columns.map((index) => offerOf(options[index], issue.id) ?? null);
      const kinds = new Set(
        made.map((change) => JSON.stringify(change && [change.change, change.severity, change.note])),
      );
      return { issue, made, same: made.length > 1 && kinds.size === 1 };
    });
  return { columns, rows };
}

/** The issues of which the options give the numbers, to be named once by their titles: none if they are many, or a table names them. */
export function issuesToName(
  options: readonly AppealOption[],
  ledger: readonly Issue[],
  most: number,
): readonly Issue[] {
  if (options.length === 0 || compareOptions(options, ledger) !== null) return [];
  const decided = new Set(
    options.flatMap(({ issue_changes = [] }) => issue_changes).map(({ issue }) => issue),
  );
  const named = ledger.filter(({ id, referred }) => referred || decided.has(id));
  return named.length <= most ? named : [];
}

/** The rows of a table, and apart from them, where it is long and has more than a few, those that are the same in all options. */
export function partsOf({ rows }: Comparison): Record<'rows' | 'same', readonly ComparedIssue[]> {
  const same = rows.filter((row) => row.same);
  if (rows.length <= FEW_ISSUES || same.length <= FEW_SAME) return { rows, same: [] };
  return { rows: rows.filter((row) => !row.same), same };
}

/** What an option decides, as far as it does the same: in the same order for each option. */
function alikeIn(t: Translate, { columns, rows }: Comparison, index: number) {
  const column = columns.indexOf(index);
  const undecided = t('ruling.options.undecided');
  const wordsOf = (change: RulingChange | null) => (change ? verbText(t, change) : undecided);
  const all = new Set(rows.flatMap(({ made }) => made.map(wordsOf)));
  all.delete(undecided);
  return [...all, undecided]
    .map((what) => ({
      what,
      issues: rows.flatMap(({ issue, made }) => (wordsOf(made[column] ?? null) === what ? issue : [])),
    }))
    .filter(({ issues }) => issues.length > 0);
}

/** No line ends between a number and its word. */
const unbroken = (text: string) => text.replaceAll(' ', '\u00a0').replaceAll(',\u00a0', ', ');

/** What an option decides in short, such as `I1–I3 upheld · I4 regraded to Low`. */
export const shortText = (t: Translate, comparison: Comparison, index: number) =>
  alikeIn(t, comparison, index)
    .map(({ what, issues }) => unbroken(`${idRanges(issues.map(({ id }) => id))} ${what}`))
    .join(' · ');

/** The same of many issues, of which the numbers would tell nothing, such as `6 upheld · I12 dismissed: No client`: one alone is named. */
export const countedText = (t: Translate, comparison: Comparison, index: number) =>
  alikeIn(t, comparison, index)
    .map(({ what, issues: [first, ...others] }) =>
      first === undefined || others.length > 0
        ? unbroken(`${others.length + 1} ${what}`)
        : `${unbroken(`${first.id} ${what}`)}: ${shortened(withoutMarks(first.title), SHORT_TITLE)}`,
    )
    .join(' · ');

/** The notes of a row, each with the columns that have it. */
export function notesOf({ made }: ComparedIssue): readonly (readonly [string, readonly number[]])[] {
  const notes = new Map<string, number[]>();
  for (const [column, change] of made.entries()) {
    if (change?.note) notes.set(change.note, [...(notes.get(change.note) ?? []), column]);
  }
  return [...notes];
}
