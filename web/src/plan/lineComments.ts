import type { LineRange } from '@/documents/changes/lineRange';
import { linesOf } from '@/documents/content';
import type { Translate } from '@/i18n';
import { type Place, placeText } from './lineRanges';

/** A comment on lines of a document, which waits in the draft of the ruling. */
export interface PlanComment extends Place {
  key: string;
  /** The text of the lines. */
  quote: string;
  text: string;
}

/** Longer quotations are cut: the place says where the rest is. */
const MAX_QUOTED_LINES = 8;
const MAX_QUOTED_LENGTH = 600;

export function withComment(
  comments: readonly PlanComment[],
  comment: Omit<PlanComment, 'key'>,
): readonly PlanComment[] {
  const next = comments.reduce((most, { key }) => Math.max(most, Number(key.slice(1))), 0) + 1;
  return [...comments, { ...comment, key: `c${next}` }];
}

/** Keeps a comment while it is written, under a key if it has one already; one without a text is none. */
export function keepComment(
  comments: readonly PlanComment[],
  comment: Omit<PlanComment, 'key'>,
  key: string | null,
): { comments: readonly PlanComment[]; key: string | null } {
  if (comment.text.trim() === '') return { comments: comments.filter((one) => one.key !== key), key: null };
  if (comments.some((one) => one.key === key)) {
    return { comments: comments.map((one) => (one.key === key ? { ...one, ...comment } : one)), key };
  }
  const added = withComment(comments, comment);
  return { comments: added, key: added.at(-1)?.key ?? null };
}

/** A comment in a line, such as `v2, lines 7–9: “Why?”`. */
export function commentLabel(t: Translate, comment: PlanComment): string {
  return `${placeLabel(t, comment.version, comment)}: “${comment.text.trim()}”`;
}

/** A place for people. */
export function placeLabel(t: Translate, version: number, { from, to }: LineRange): string {
  return from === to ? t('plan.line', { version, from }) : t('plan.lines', { version, from, to });
}

/** The lines of a text, each with its number. */
export function numberedLines(text: string, { from, to }: LineRange): (readonly [number, string])[] {
  return linesOf(text, from, to)
    .split('\n')
    .map((line, index) => [from + index, line] as const);
}

/** The text of a ruling: what was written in the box, then each comment below the lines that it is about. */
export function contentOf(text: string, comments: readonly PlanComment[]): string {
  return [text.trim(), ...comments.map(quotation)].filter((part) => part !== '').join('\n\n');
}

function quotation(comment: PlanComment): string {
  const quoted = cut(comment.quote)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd());
  return `> ${placeText(comment)}\n>\n${quoted.join('\n')}\n\n${comment.text.trim()}`.trimEnd();
}

/** The beginning of a text that is too long to be quoted as a whole. */
function cut(quote: string): string {
  const lines = quote.split('\n');
  const shown = lines.slice(0, MAX_QUOTED_LINES).join('\n');
  const text = Array.from(shown).slice(0, MAX_QUOTED_LENGTH).join('');
  return text === shown && lines.length <= MAX_QUOTED_LINES ? text : `${text}\n…`;
}
