import { Fragment, type ReactNode } from 'react';

/** Code between backticks, or what is emphasised between one or two asterisks; not those of a path with wildcards. */
const MARKED = /(`+)(.+?)\1(?!`)|(?<![\w/*])(\*\*?)(?=[^\s/*])(.+?)(?<![\s/*])\3(?![\w/*])/gs;

/** The words alone, for where nothing but text can be shown. */
export const withoutMarks = (text: string) => text.replace(MARKED, '$2$4');

interface InlineTextProps {
  text: string;
  /** Shows a part without marks, such as with links in it. */
  part?: (text: string) => ReactNode;
}

/** A line of an agent's markdown, such as a title: code and emphasis are shown as such, all else as it is written. */
export function InlineText({ text, part = (plain) => plain }: InlineTextProps) {
  const shown: ReactNode[] = [];
  let end = 0;
  for (const { 0: whole, 2: code, 3: stars, 4: words = '', index } of text.matchAll(MARKED)) {
    const Emphasis = stars === '*' ? 'em' : 'strong';
    shown.push(
      <Fragment key={index}>
        {part(text.slice(end, index))}
        {code === undefined ? (
          <Emphasis>
            <InlineText text={words} part={part} />
          </Emphasis>
        ) : (
          <code className="rounded border bg-code px-1 font-mono text-[0.88em]">{part(code.trim())}</code>
        )}
      </Fragment>,
    );
    end = index + whole.length;
  }
  return (
    <>
      {shown}
      {part(text.slice(end))}
    </>
  );
}
