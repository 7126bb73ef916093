import { useContext, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Issue } from '@/api/types';
import { useT } from '@/i18n';
import { NoteText } from '@/issues/NoteText';
import { WhichIssue } from '@/issues/WhichIssue';
import { useSelected } from '@/lib/store';
import { Beginning } from '@/ui/Beginning';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { IssueLinksContext } from '@/ui/IssueLink';
import { type ComparedIssue, notesOf } from './compareOptions';
import { OptionCell } from './OptionCell';
import { DecisionDetails } from './ruling/DecisionDetails';
import type { DecisionModel } from './ruling/decisionModel';
import { IssueHistory } from './ruling/IssueHistory';
import { isSame, withDecision } from './ruling/issueDecisions';

/** In letters. */
const MOST_OF_NOTE = 160;
/** In narrower columns a menu has no room. */
const MOST_MENUS = 4;
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
  const notes = noted ? notesOf(row) : [];
  const [noteOpened, setNoteOpened] = useState(false);
  const [open, setOpen] = useState(false);
  const links = useContext(IssueLinksContext);
  const isEditable = model !== undefined && !hasCards;
  const which = (
    // The number unfolds what was said of it, unless its card has that.
    <IssueLinksContext value={links && isEditable ? { ...links, show: () => setOpen(!open) } : links}>
      <WhichIssue issue={issue} wide={wide}>
        {isEditable && !noteOpened && (
          <AddNote model={model} issue={issue} onOpen={() => setNoteOpened(true)} />
        )}
      </WhichIssue>
    </IssueLinksContext>
  );
  const cells = columns.map((index, column) => (
    <td
      key={index}
      className={cn(
        // So that what is pressed fills it.
        'h-px align-top wrap-anywhere hyphens-auto',
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
        chosen={index === chosen}
        departs={departs && index === chosen}
        roomy={wide || columns.length <= MOST_MENUS}
        model={model}
      />
    </td>
  ));
  const span = columns.length + (wide ? 1 : 0);
  return (
    <tbody data-compared-issue={issue.id} data-same={same} className="border-t">
      {wide ? (
        <tr>
          <th scope="row" className="px-1.5 py-1 text-start align-middle font-normal">
            {which}
          </th>
          {cells}
        </tr>
      ) : (
        <>
          <tr>
            <th scope="rowgroup" colSpan={span} className="px-1.5 pt-1.5 pb-0.5 text-start font-normal">
              {which}
            </th>
          </tr>
          <tr>{cells}</tr>
        </>
      )}
      {isEditable && open && (
        <tr>
          <td colSpan={span} className="px-1.5 pb-1">
            <IssueHistory model={model} issue={issue} />
          </td>
        </tr>
      )}
      {isEditable && <DetailsRow model={model} issue={issue} span={span} noteOpened={noteOpened} />}
      {notes.length > 0 && (
        <tr>
          <td colSpan={span} className="px-1.5 pb-1 text-muted-foreground">
            {notes.map(([note, of]) => (
              <p key={note} dir="auto">
                {of.length < columns.length &&
                  `${of.map((column) => (columns[column] ?? 0) + 1).join(', ')}: `}
                <Beginning text={note} letters={MOST_OF_NOTE} whole={whole}>
                  {(shown) => (
                    <>
                      “<NoteText text={shown} />”
                    </>
                  )}
                </Beginning>
              </p>
            ))}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** The decision on an issue, and whether that is another one than the chosen option’s, which needs or has more than a verb. */
function useOwnDecision({ stored, rules, draft }: DecisionModel, id: string) {
  const decision = useSelected(stored, ({ decisions }) => decisions[id] ?? null);
  const offer = useSelected(stored, () => draft().offered[id] ?? null);
  const isOwn = decision !== null && (offer === null || !isSame(decision, offer));
  const hasMore = isOwn && ((rules[decision.change]?.needs.length ?? 0) > 0 || decision.note !== '');
  return { isOwn, hasMore };
}

interface AddNoteProps {
  model: DecisionModel;
  issue: Issue;
  onOpen: () => void;
}

/** In the line of the title: a field between the rows comes only once it is asked for. */
function AddNote({ model, issue: { id }, onOpen }: AddNoteProps) {
  const t = useT();
  const { isOwn, hasMore } = useOwnDecision(model, id);
  if (!isOwn || hasMore) return null;
  return (
    <Button
      variant="link"
      size="bare"
      aria-label={t('ruling.issues.note.add.of', { id })}
      className="inline! rounded! text-xs"
      onClick={({ currentTarget }) => {
        const rows = currentTarget.closest('tbody');
        flushSync(onOpen);
        rows?.querySelector('textarea')?.focus();
      }}
    >
      + {t('ruling.issues.note.add')}
    </Button>
  );
}

/** Where something in its rows was just pressed: what is unfolded by that would be under the bar. */
function intoViewOfPressed(unfolded: HTMLElement | null) {
  if (unfolded?.closest('tbody')?.contains(document.activeElement))
    unfolded.scrollIntoView({ block: 'nearest' });
}

interface DetailsRowProps {
  model: DecisionModel;
  issue: Issue;
  span: number;
  noteOpened: boolean;
}

/** What a decision needs or has besides, unless it is the chosen option’s. */
function DetailsRow({ model, issue, span, noteOpened }: DetailsRowProps) {
  const [kept, setKept] = useState(false);
  const { isOwn, hasMore } = useOwnDecision(model, issue.id);
  // A field stays while it is written in, also once it is emptied.
  if (hasMore !== kept && (hasMore || !isOwn)) setKept(hasMore);
  if (!isOwn || !(hasMore || kept || noteOpened)) return null;
  return (
    <tr data-details ref={intoViewOfPressed}>
      <td colSpan={span} className="px-1.5 pb-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
          <DecisionDetails
            model={model}
            issue={issue}
            opensNote={noteOpened}
            onChange={(next) => model.change(withDecision(model.stored.get(), issue.id, next))}
          />
        </div>
      </td>
    </tr>
  );
}
