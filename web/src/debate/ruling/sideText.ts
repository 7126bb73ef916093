import type { Argument, Issue } from '@/api/types';
import { FEW_ISSUES } from '../compareOptions';
import { withoutPlanLine } from '../planLine';
import { lastWords } from './lastWords';

/** What a side says on what is asked, as markdown. */
interface SideText {
  text: string;
  /** What it argued besides, which is read on demand, where the text is its last words on all that is asked; else null. */
  rest: string | null;
  /** Where little of the text has room: the beginning of what it says of each issue, if these are two or three. Of more, too little would be seen of each. */
  beginning?: string;
}

/** In letters: about a line of a phone. */
const MOST_OF_BEGINNING = 45;
const MOST_BEGINNINGS = 3;

/**
 * Its last note on each issue that the appeal refers, which is to the point, and then its last argument. On many the notes would be no
 * preview: each issue has them on demand, with all that was said of it.
 */
export function sideText({ role, seq, content }: Argument, issues: readonly Issue[]): SideText {
  const referred = issues.filter((issue) => issue.referred);
  const argued = withoutPlanLine(content).text;
  if (isMany(issues)) return { text: argued, rest: null };
  const notes = referred.flatMap(({ id, history = [] }) => {
    const said = lastWords(history).find((entry) => entry.role === role);
    if (said?.note === undefined) return [];
    const place = said.seq === seq ? '' : ` (#${said.seq})`;
    // On one line nothing in it is the beginning of a block.
    return [[`**${id}**${place}: `, said.note.trim().replace(/\s+/g, ' ')] as const];
  });
  if (notes.length === 0) return { text: argued, rest: null };
  const text = notes.map((note) => note.join('')).join(' ');
  if (notes.length < referred.length) return { text: `${text}\n\n${argued}`, rest: null };
  if (notes.length < 2 || notes.length > MOST_BEGINNINGS) return { text, rest: argued };
  const beginning = notes.map(([place, note]) => place + begun(note)).join(' ');
  return { text, rest: argued, ...(beginning !== text && { beginning }) };
}

/** To the end of a word: one that went on to that of a sentence would leave no room for the other. */
function begun(note: string): string {
  const letters = [...note];
  if (letters.length <= MOST_OF_BEGINNING) return note;
  return `${letters
    .slice(0, MOST_OF_BEGINNING)
    .join('')
    .replace(/\s+\S*$/, '')}…`;
}

/** The roles whose last words the issues need not tell: those that stand with what each side says on all that is asked, and of many issues all. */
export const rolesWithLastWords = (sides: readonly Argument[], issues: readonly Issue[]): readonly string[] =>
  sides.filter((side) => isMany(issues) || sideText(side, issues).rest !== null).map(({ role }) => role);

const isMany = (issues: readonly Issue[]) => issues.filter(({ referred }) => referred).length > FEW_ISSUES;
