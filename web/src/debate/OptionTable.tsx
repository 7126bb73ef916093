import { Check, ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import type { AppealOption } from '@/api/types';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { InlineText } from '@/ui/InlineText';
import { useRoom } from '@/ui/useRoom';
import { CHOSEN, ComparedIssueRows, isMany, paddingOf } from './ComparedIssueRows';
import {
  type ComparedIssue,
  type Comparison,
  countedText,
  FEW_ISSUES,
  notesOf,
  partsOf,
  shortText,
} from './compareOptions';
import type { DecisionModel } from './ruling/decisionModel';

/** In rem: an issue stands beside what becomes of it where its number, severity and enough of its title have room, else above. */
const ISSUE_WIDTH = 20;
/** In rem: the columns beside it, which are narrower if there are many. */
const COLUMN = { rem: 7, className: 'w-28' };
const NARROW_COLUMN = { rem: 6, className: 'w-24' };
/** More columns have no room for the words of a head where they take the whole width. */
const MOST_HEADS = 4;
const NONE: readonly string[] = [];

interface OptionTableProps {
  options: readonly AppealOption[];
  comparison: Comparison;
  /** The index of the chosen option. */
  chosen?: number | null;
  /** The issues on which the ruling decides otherwise than the chosen option. */
  departed?: readonly string[];
  /** Whether notes are not cut. */
  whole?: boolean;
  /** Where a ruling is written: what an option makes of an issue can be chosen for that issue alone. */
  model?: DecisionModel;
  /** Whether each issue has a card of its own, in which its decision may have a note. */
  hasCards?: boolean;
}

/** What each option makes of which issue: quiet where that is the same in all. */
export function OptionTable(props: OptionTableProps) {
  const {
    options,
    comparison,
    chosen = null,
    departed = NONE,
    whole = false,
    model,
    hasCards = true,
  } = props;
  const t = useT();
  const { columns } = comparison;
  const column = isMany(columns) ? NARROW_COLUMN : COLUMN;
  const table = useRef<HTMLTableElement>(null);
  const wide = useRoom(table, ISSUE_WIDTH + columns.length * column.rem);
  const { rows, same } = partsOf(comparison);
  const [opened, setOpened] = useState(false);
  const few = comparison.rows.length <= FEW_ISSUES;
  const [noted, setNoted] = useState(few);
  const rowsOf = (shown: readonly ComparedIssue[]) =>
    shown.map((row) => (
      <ComparedIssueRows
        key={row.issue.id}
        row={row}
        columns={columns}
        wide={wide}
        chosen={chosen}
        departs={departed.includes(row.issue.id)}
        noted={noted || whole}
        whole={whole}
        model={model}
        hasCards={hasCards}
      />
    ));
  const reasons = !few && !whole && comparison.rows.some((row) => notesOf(row).length > 0) && (
    <Button
      variant="link"
      size="bare"
      aria-expanded={noted}
      className="ms-auto block! min-h-6 rounded! text-xs max-sm:min-h-11"
      onClick={() => setNoted(!noted)}
    >
      {t(noted ? 'ruling.options.reasons.hide' : 'ruling.options.reasons')}
    </Button>
  );
  return (
    <>
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 px-1.5 text-xs text-muted-foreground empty:hidden">
        {model !== undefined && t('ruling.options.cells')}
        {reasons}
      </div>
      <table ref={table} data-compared className="relative w-full table-fixed text-start text-xs">
        <caption className="sr-only">{t('ruling.options.compared')}</caption>
        {/* Of a table that is higher than the screen it stays in view. */}
        <thead className="sticky top-0 z-1 bg-card text-muted-foreground">
          <tr>
            {wide && (
              <th
                scope="col"
                className="px-1.5 py-1 text-start align-top font-medium shadow-[inset_0_-1px_var(--color-border)]"
              >
                {t('issues.title')}
              </th>
            )}
            {columns.map((index) => (
              <th
                key={index}
                scope="col"
                title={options[index]?.label}
                className={cn(
                  'py-1 text-start align-top font-medium shadow-[inset_0_-1px_var(--color-border)]',
                  paddingOf(columns, wide),
                  wide && column.className,
                  index === chosen && CHOSEN,
                )}
              >
                <span className="flex items-start gap-1">
                  <span className="tabular-nums">{index + 1}</span>
                  {index === chosen && (
                    <Check aria-label={t('ruling.options.chosen')} className="size-3.5 shrink-0" />
                  )}
                  <span
                    dir="auto"
                    className={
                      wide || columns.length <= MOST_HEADS ? 'line-clamp-4 wrap-anywhere' : 'truncate'
                    }
                  >
                    <InlineText text={options[index]?.label ?? ''} />
                  </span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        {rowsOf(rows)}
        {same.length > 0 && (
          <tbody data-same-in-all className="border-t">
            <tr>
              <td colSpan={columns.length + (wide ? 1 : 0)} className="px-1.5 py-0.5">
                <Button
                  variant="link"
                  size="bare"
                  aria-expanded={opened}
                  className="min-h-6 gap-1! rounded! text-start text-xs whitespace-normal! max-sm:min-h-11 [&_svg]:size-3.5!"
                  onClick={() => setOpened(!opened)}
                >
                  <ChevronRight aria-hidden className={cn(opened && 'rotate-90')} />
                  {t('ruling.options.same', {
                    n: same.length,
                    what: shortText(t, { columns, rows: same }, columns[0] ?? 0),
                  })}
                </Button>
              </td>
            </tr>
          </tbody>
        )}
        {rowsOf(opened ? same : same.filter(({ issue }) => departed.includes(issue.id)))}
      </table>
    </>
  );
}

/** What an option decides in short, under its label. */
export function DecidedInShort({ comparison, index }: { comparison: Comparison; index: number }) {
  const t = useT();
  return (
    <span
      data-decided-in-short
      title={shortText(t, comparison, index)}
      className="block text-xs text-arbitrator tabular-nums"
    >
      {(comparison.rows.length > FEW_ISSUES ? countedText : shortText)(t, comparison, index)}
    </span>
  );
}
