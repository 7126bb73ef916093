/** A part of a long text that can be read as markdown by itself. */
export interface Section {
  text: string;
  /** Levels of the headings that it stands under. */
  under: readonly number[];
}

/** So much is read between two frames without anybody noticing. */
const ENOUGH = 6_000;
/** A text without headings and paragraphs is cut at any line. */
const TOO_MUCH = 24_000;
const HEADING = /^(#{1,6})[ \t]/;
/** One that cannot go on with a list or a quote before it. */
const PARAGRAPH = /^[\p{L}_(“"]/u;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:[ \t]*\S.*$/;

/**
 * Cuts a long text where a heading or a paragraph begins, so that a browser can do other things in between. What links
 * refer to is known in every part.
 */
export function sectionsOf(content: string): Section[] {
  const sections: Section[] = [];
  const definitions: string[] = [];
  const open: number[] = [];
  let under: number[] = [];
  let text = '';
  let fence: string | null = null;
  let blank = false;
  for (const line of content.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const heading = fence === null ? HEADING.exec(line)?.[1]?.length : undefined;
    const paragraph = blank && PARAGRAPH.test(line);
    const enough = heading !== undefined ? ENOUGH : paragraph ? 2 * ENOUGH : TOO_MUCH;
    if (fence === null && text.length >= enough) {
      sections.push({ text, under });
      text = '';
      under = [...open];
    }
    if (heading !== undefined) {
      while ((open.at(-1) ?? 0) >= heading) open.pop();
      open.push(heading);
    }
    fence = fenceAfter(line, fence);
    if (fence === null && DEFINITION.test(line.trimEnd())) definitions.push(line.trimEnd());
    blank = line.trim() === '';
    text += line;
  }
  sections.push({ text, under });
  if (sections.length === 1 || definitions.length === 0) return sections;
  return sections.map((section) => ({ ...section, text: `${section.text}\n\n${definitions.join('\n')}\n` }));
}

function fenceAfter(line: string, fence: string | null): string | null {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === null) return mark;
  const closes = mark.startsWith(fence) && line.trim() === mark;
  return closes ? null : fence;
}
