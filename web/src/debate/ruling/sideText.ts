import { type Argument, type Issue, SIDES } from '@/api/types';
import { FEW_ISSUES } from '../compareOptions';
import { withoutPlanLine } from '../planLine';
import { lastWords } from './lastWords';
import type { RulingRequest } from './rulingRequest';

/**
 * Where the last words of the sides stand: with the titles of the issues that are asked about, with what is decided of each, or, where
 * a side noted nothing on some or they are many, with its last argument.
 */
export type PlaceOfWords = 'titles' | 'cards' | 'sides';

export function placeOfWords(
  { argument, issues }: Pick<RulingRequest, 'argument' | 'issues'>,
  named: readonly Issue[],
): PlaceOfWords {
  const referred = issues.filter((issue) => issue.referred);
  if (referred.length === 0 || isMany(issues) || !referred.every(hasWordsOfBoth)) return 'sides';
  if (named.length > 0) return 'titles';
  return argument.options?.length ? 'sides' : 'cards';
}

/** What a side says on what is asked, as markdown: its last note on each issue that the appeal refers, which is to the point, and then its last argument. On many the notes would be no preview: each issue has them on demand, with all that was said of it. */
export function sideText({ role, seq, content }: Argument, issues: readonly Issue[]): string {
  const argued = withoutPlanLine(content).text;
  if (isMany(issues)) return argued;
  const notes = issues.flatMap(({ id, referred, history = [] }) => {
    const said = referred ? lastWords(history).find((entry) => entry.role === role) : undefined;
    if (said?.note === undefined) return [];
    const place = said.seq === seq ? '' : ` (#${said.seq})`;
    // On one line nothing in it is the beginning of a block.
    return `**${id}**${place}: ${said.note.trim().replace(/\s+/g, ' ')}`;
  });
  return notes.length === 0 ? argued : `${notes.join(' ')}\n\n${argued}`;
}

/** The roles whose last words the issues need not tell, where these stand with their last arguments: of many issues all. */
export const rolesWithLastWords = (
  sides: readonly Argument[],
  issues: readonly Issue[],
): readonly string[] => (isMany(issues) ? SIDES : sides.map(({ role }) => role));

const hasWordsOfBoth = ({ history = [] }: Issue) => lastWords(history).length === SIDES.length;

const isMany = (issues: readonly Issue[]) => issues.filter(({ referred }) => referred).length > FEW_ISSUES;
