import type { DocumentVersion } from '@/api/types';

/** Markdown beyond this would hold up the page while it is read. */
const MOST_RENDERED = 200_000;

/** Data reads better as it is written. */
export function isData(content: string): boolean {
  if (!/^\s*[[{]/.test(content)) return false;
  try {
    JSON.parse(content);
    return true;
  } catch {
    return false;
  }
}

/** As much of a long text as can be rendered, cut where a paragraph ends. */
export function renderable(content: string): { text: string; cut: boolean } {
  if (content.length <= MOST_RENDERED) return { text: content, cut: false };
  const paragraph = content.lastIndexOf('\n\n', MOST_RENDERED);
  const end = paragraph > MOST_RENDERED / 2 ? paragraph : content.lastIndexOf('\n', MOST_RENDERED);
  return { text: content.slice(0, end > 0 ? end : wholeCharacters(content, MOST_RENDERED)), cut: true };
}

export interface RawLine {
  /** Null where a very long line goes on. */
  number: number | null;
  text: string;
}

const LINES_TOGETHER = 200;
const LONGEST_LINE = 10_000;

/** Lines in groups: a browser lays out only the groups that are in view. */
export function groupsOfLines(content: string): RawLine[][] {
  const groups: RawLine[][] = [];
  let group: RawLine[] = [];
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const [index, line] of lines.entries()) {
    for (let start = 0, end = 0; start === 0 || start < line.length; start = end) {
      end = wholeCharacters(line, start + LONGEST_LINE);
      group.push({ number: start === 0 ? index + 1 : null, text: line.slice(start, end) });
      if (group.length < LINES_TOGETHER) continue;
      groups.push(group);
      group = [];
    }
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

/** The same place, or the next one where it would cut a character in two. */
function wholeCharacters(text: string, place: number): number {
  return (text.codePointAt(place - 1) ?? 0) > 0xffff ? place + 1 : place;
}

const LONGEST_NAME = 48;

/** `plan-no-cache-7c9e6679-v2.md`: what a version is called as a file. */
export function fileName({ document_id, version, summary, content }: DocumentVersion): string {
  const words = summary.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = Array.from(words.join('-').toLowerCase()).slice(0, LONGEST_NAME).join('');
  const extension = isData(content) ? 'json' : 'md';
  return `${[...(name ? [name] : []), shortId(document_id), `v${version}`].join('-')}.${extension}`;
}

/** Ids of documents are random: their beginning tells them apart. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
