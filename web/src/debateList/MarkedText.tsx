import { Fragment } from 'react';
import { partsOf } from '@/lib/foundWords';

/** So much may stand before what was found, of which three lines are shown. */
const BEFORE_FOUND = 60;

/** An excerpt from some words before what was found on. */
export function fromWord(text: string, query: string): string {
  const first = partsOf(text, query).find(({ found }) => found);
  if (first === undefined || first.at <= BEFORE_FOUND) return text;
  const end = text.indexOf(' ', first.at - BEFORE_FOUND);
  return end < 0 || end >= first.at ? text : `…${text.slice(end)}`;
}

/** A text in which the words of a search are marked, whatever the case of their letters. */
export function MarkedText({ text, query }: { text: string; query: string }) {
  return partsOf(text, query).map(({ part, found, at }) =>
    found ? (
      <mark key={at} className="rounded-xs bg-arbitrator/25 text-inherit">
        {part}
      </mark>
    ) : (
      <Fragment key={at}>{part}</Fragment>
    ),
  );
}
