import type { Argument, Issue } from '@/api/types';
import { withoutPlanLine } from '../planLine';
import { lastWords } from './lastWords';

/** What a side says on what is asked, as markdown: its last note on each issue that the appeal refers to, which is to the point, and then its last argument. */
export function sideText({ role, seq, content }: Argument, issues: readonly Issue[]): string {
  const notes = issues
    .filter(({ referred }) => referred)
    .flatMap(({ id, history = [] }) => {
      const said = lastWords(history).find((entry) => entry.role === role);
      if (said?.note === undefined) return [];
      const place = said.seq === seq ? '' : ` (#${said.seq})`;
      // On one line nothing in it is the beginning of a block.
      return `**${id}**${place}: ${said.note.trim().replace(/\s+/g, ' ')}`;
    });
  return [notes.join(' '), withoutPlanLine(content).text].filter((text) => text !== '').join('\n\n');
}
