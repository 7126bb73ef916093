import { Fragment, type ReactNode } from 'react';
import { InlineText } from './InlineText';

/** A part of a line: words of this app, some of which are a warning, or what somebody wrote, such as a title, a note or the label of an option. */
export type TextPart = string | { warning: string } | { written: string };

interface TextPartsProps {
  parts: readonly TextPart[];
  /** Shows words of this app. */
  words?: (text: string) => ReactNode;
}

/** A line in which what somebody wrote reads as that, whatever it says: what looks like the words around it stays within its box. */
export function TextParts({ parts, words = (text) => <InlineText text={text} /> }: TextPartsProps) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key
    <Fragment key={index}>
      {typeof part === 'string' ? (
        words(part)
      ) : 'warning' in part ? (
        <strong className="font-semibold text-warning">{words(part.warning)}</strong>
      ) : (
        // The line around it is seen where colours are forced, which take the background.
        <bdi className="rounded bg-code box-decoration-clone px-1 outline outline-transparent">
          <InlineText text={part.written} />
        </bdi>
      )}
    </Fragment>
  ));
}

/** What somebody wrote, as a line of its own. */
export const written = (text: string): readonly TextPart[] => (text === '' ? [] : [{ written: text }]);

/** Whether a line may be higher than its frame, which then is scrolled with the keyboard, too. */
export const mayScroll = (parts: readonly TextPart[]) => plainText(parts).length > FEW_LETTERS;
const FEW_LETTERS = 80;

/** The line as text. */
export const plainText = (parts: readonly TextPart[]) =>
  parts
    .map((part) => (typeof part === 'string' ? part : 'warning' in part ? part.warning : part.written))
    .join('');

/** Several lines as one, without those that are empty. */
export function joined(lines: readonly (readonly TextPart[])[], between = ' · '): readonly TextPart[] {
  const told = lines.filter((parts) => plainText(parts) !== '');
  return told.flatMap((parts, index) => (index === 0 ? parts : [between, ...parts]));
}
