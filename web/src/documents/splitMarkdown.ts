/** A part of a long text that can be rendered on its own. */
export interface Section {
  text: string;
  /** Levels of the headings that the section is under. */
  headingsAbove: readonly number[];
  /** The number of its first line in the whole text. */
  firstLine: number;
}

/** A section is split at the next heading after this many characters, at the next paragraph after twice as many. */
const TARGET_LENGTH = 6_000;
/** After this many characters it is split at any line. */
const MAX_LENGTH = 24_000;
const HEADING = /^(#{1,6})[ \t]/;
/** The first character of a paragraph that cannot continue a list or a quote. */
const PARAGRAPH = /^[\p{L}_(“"]/u;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:[ \t]*\S.*$/;

/**
 * Splits a long text before headings or paragraphs, so that it can be rendered in steps. Link definitions are added to
 * every section. It scans lines instead of parsing markdown: remark needs about 0.8 s for 200,000 characters, and the
 * page does not respond meanwhile.
 */
export function splitMarkdown(content: string): Section[] {
  const sections: Section[] = [];
  const definitions: string[] = [];
  const open: number[] = [];
  let headingsAbove: number[] = [];
  let text = '';
  let firstLine = 1;
  let fence: string | null = null;
  let blank = false;
  for (const [index, line] of (content.match(/[^\n]*\n|[^\n]+$/g) ?? []).entries()) {
    const heading = fence === null ? HEADING.exec(line)?.[1]?.length : undefined;
    const paragraph = blank && PARAGRAPH.test(line);
    const target = heading !== undefined ? TARGET_LENGTH : paragraph ? 2 * TARGET_LENGTH : MAX_LENGTH;
    if (fence === null && text.length >= target) {
      sections.push({ text, headingsAbove, firstLine });
      text = '';
      firstLine = index + 1;
      headingsAbove = [...open];
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
  sections.push({ text, headingsAbove, firstLine });
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
