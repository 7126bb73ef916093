import type { DocumentVersion } from '@/api/types';
import { fileNameOf, save } from '@/lib/save';

/** Longer markdown takes too long to parse and render. */
const MAX_RENDERED = 200_000;

export function isJson(content: string): boolean {
  if (!/^\s*[[{]/.test(content)) return false;
  try {
    JSON.parse(content);
    return true;
  } catch {
    return false;
  }
}

/** The beginning of a long text, cut at the end of a paragraph if possible. */
export function truncateForRendering(content: string): { text: string; cut: boolean } {
  if (content.length <= MAX_RENDERED) return { text: content, cut: false };
  const paragraph = content.lastIndexOf('\n\n', MAX_RENDERED);
  const end = paragraph > MAX_RENDERED / 2 ? paragraph : content.lastIndexOf('\n', MAX_RENDERED);
  return { text: content.slice(0, end > 0 ? end : endOfCharacter(content, MAX_RENDERED)), cut: true };
}

/** The index, or the next one if it is in the middle of a surrogate pair. */
export function endOfCharacter(text: string, index: number): number {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff ? index + 1 : index;
}

/** The file name of a version, such as `plan-no-cache-7c9e6679-v2.md`. */
export function fileName({ document_id, version, summary, content }: DocumentVersion): string {
  return fileNameOf(summary, document_id, `v${version}.${isJson(content) ? 'json' : 'md'}`);
}

/** Saves the content of a version as a file, byte for byte. */
export function download(version: DocumentVersion): void {
  save(version.content, fileName(version), 'application/octet-stream');
}

/** Lines of a text. */
export function linesOf(content: string, from: number, to: number): string {
  return content
    .split('\n')
    .slice(from - 1, to)
    .map((line) => line.replace(/\r$/, ''))
    .join('\n');
}

/** About as many lines as fit on two screens. */
const SHORT_LINES = 60;

/** Whether a text is read as a whole sooner than parts of it are unfolded. */
export function isShort(text: string): boolean {
  return text.split('\n', SHORT_LINES + 1).length <= SHORT_LINES;
}
