import type { LineRange } from '@/documents/changes/lineRange';
import { citationsIn } from '@/markdown/citations';

/** Lines of one version of a document. */
export interface Place extends LineRange {
  documentId: string;
  version: number;
}

/** A mention of a document version, with the lines where it names them. */
interface Mention {
  documentId: string;
  version: number;
  lines: LineRange | null;
}

const LINES = /^\s*[,:(]?\s*lines?\s+([1-9]\d{0,8})(?:\s*[-–]\s*([1-9]\d{0,8}))?(?!\d)/i;

/** The words for a place in rulings and issues, which `mentionsIn` reads again. */
export function placeText({ documentId, version, from, to }: Place): string {
  return `doc_id=${documentId} v${version}, ${from === to ? `line ${from}` : `lines ${from}-${to}`}`;
}

export function mentionsIn(text: string): Mention[] {
  return citationsIn(text).flatMap(({ id, version, end }) =>
    version === null ? [] : [{ documentId: id, version, lines: linesAtStart(text.slice(end, end + 40)) }],
  );
}

function linesAtStart(text: string): LineRange | null {
  const match = LINES.exec(text);
  if (match === null) return null;
  const from = Number(match[1]);
  return { from, to: Math.max(from, Number(match[2] ?? from)) };
}

export function overlap(a: LineRange, b: LineRange): boolean {
  return a.from <= b.to && b.from <= a.to;
}
