import type { RulingRequest } from '@/debate/ruling/rulingRequest';
import { sideText } from '@/debate/ruling/sideText';
import { Speaker } from '@/issues/HistoryEntry';
import { Beginning } from '@/ui/Beginning';
import { InlineText } from '@/ui/InlineText';

/** About a line. */
const LETTERS = 90;
/** What a line of markdown may begin with: that of a heading, an item or a quotation. */
const BEGINNING = /^(?:\s*(?:#{1,6}|[-*+>]|\d{1,9}[.)])\s+)+/;
const HEADING = /^\s*#{1,6}\s/;

/** The first line that says something, without what makes it a heading or an item; a heading only where there is nothing else. */
export function firstLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const said = lines.find((line) => !HEADING.test(line)) ?? lines[0] ?? '';
  return said.replace(BEGINNING, '').trim();
}

/** Of what each side says on what is asked, its first line. */
export function SideLines({ sides, issues }: Pick<RulingRequest, 'sides' | 'issues'>) {
  return sides.map((side) => (
    <p key={side.id} dir="auto" data-side-line={side.role} className="mt-1 text-[13px] wrap-anywhere">
      {/* Its direction is not that of what was said. */}
      <span dir="ltr">
        <Speaker role={side.role} />
      </span>
      <Beginning text={firstLine(sideText(side, issues))} letters={LETTERS}>
        {(shown) => <InlineText text={shown} />}
      </Beginning>
    </p>
  ));
}
