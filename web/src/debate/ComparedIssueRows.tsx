import type { ReactNode } from 'react';
import { NoteText } from '@/issues/NoteText';
import { WhichIssue } from '@/issues/WhichIssue';
import { useSelected } from '@/lib/store';
import { Beginning } from '@/ui/Beginning';
import { cn } from '@/ui/cn';
import { type ComparedIssue, notesOf } from './compareOptions';
import { OptionCell } from './OptionCell';
import { DecisionDetails } from './ruling/DecisionDetails';
import type { DecisionModel } from './ruling/decisionModel';
import { withDecision } from './ruling/issueDecisions';

/** In letters. */
const MOST_OF_NOTE = 160;
/** The column of the chosen option. */
export const CHOSEN = 'bg-arbitrator-soft text-arbitrator';

export const isMany = (columns: readonly number[]) => columns.length > 3;

/** Many columns have no room to spare where they take the whole width. */
export const paddingOf = (columns: readonly number[], wide: boolean) =>
  wide || !isMany(columns) ? 'px-1.5' : 'px-0.5';

interface ComparedIssueRowsProps {
  row: ComparedIssue;
  columns: readonly number[];
  wide: boolean;
  chosen: number | null;
  departs: boolean;
  /** Whether it is told why. */
  noted: boolean;
  whole: boolean;
  model: DecisionModel | undefined;
  hasCards: boolean;
}

/** One issue: which it is, what each option makes of it, and why. */
export function ComparedIssueRows(props: ComparedIssueRowsProps) {
  const { row, columns, wide, chosen, departs, noted, whole, model, hasCards } = props;
  const { issue, made, same } = row;
  // Options that make the same of it may say different things, and a cell brings what its option says.
  const notes = noted || departs ? notesOf(row) : [];
  const cells = columns.map((index, column) => (
    <td
      key={index}
      className={cn(
        'align-baseline wrap-anywhere hyphens-auto',
        wide ? 'py-1' : 'pb-1',
        paddingOf(columns, wide),
        same ? 'text-muted-foreground' : 'font-semibold',
        index === chosen && CHOSEN,
      )}
    >
      <OptionCell
        issue={issue}
        index={index}
        change={made[column] ?? null}
        departs={departs && index === chosen}
        model={model}
      />
    </td>
  ));
  const span = columns.length + (wide ? 1 : 0);
  const notesRow = (shown: typeof notes) =>
    shown.length > 0 && (
      <tr>
        <td colSpan={span} className="px-1.5 pb-1 text-muted-foreground">
          {shown.map(([note, of]) => (
            <p key={note} dir="auto">
              {of.length < columns.length && `${of.map((column) => (columns[column] ?? 0) + 1).join(', ')}: `}
              <Beginning text={note} letters={MOST_OF_NOTE} whole={whole}>
                {(text) => (
                  <>
                    “<NoteText text={text} />”
                  </>
                )}
              </Beginning>
            </p>
          ))}
        </td>
      </tr>
    );
  return (
    <tbody data-compared-issue={issue.id} data-same={same} className="border-t">
      {wide ? (
        <tr>
          <th scope="row" className="px-1.5 py-1 text-start align-baseline font-normal">
            <WhichIssue issue={issue} wide />
          </th>
          {cells}
        </tr>
      ) : (
        <>
          <tr>
            <th scope="rowgroup" colSpan={span} className="px-1.5 pt-1.5 pb-0.5 text-start font-normal">
              <WhichIssue issue={issue} />
            </th>
          </tr>
          <tr>{cells}</tr>
        </>
      )}
      {model !== undefined && !hasCards ? (
        <DetailsRow model={model} row={row} departs={departs} span={span}>
          {(made) => notesRow(notes.filter(([, of]) => !of.some((column) => isMade(row, column, made))))}
        </DetailsRow>
      ) : (
        notesRow(notes)
      )}
    </tbody>
  );
}

const isMade = ({ made }: ComparedIssue, column: number, change: string | null) =>
  made[column]?.change === change;

interface DetailsRowProps {
  model: DecisionModel;
  row: ComparedIssue;
  departs: boolean;
  span: number;
  /** The reasons of the options, but of those that make this change: these are offered. Null where none is. */
  children: (change: string | null) => ReactNode;
}

/** What a decision that is not that of the chosen option needs or may have besides. */
function DetailsRow({ model, row: { issue }, departs, span, children }: DetailsRowProps) {
  const { stored } = model;
  const change = useSelected(stored, ({ decisions }) =>
    departs || model.draft().choice === null ? (decisions[issue.id]?.change ?? null) : null,
  );
  return (
    <>
      {change !== null && (
        <tr data-details>
          <td colSpan={span} className="px-1.5 pb-1">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
              <DecisionDetails
                model={model}
                issue={issue}
                onChange={(decision) => model.change(withDecision(stored.get(), issue.id, decision))}
              />
            </div>
          </td>
        </tr>
      )}
      {children(change)}
    </>
  );
}
