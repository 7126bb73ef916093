import { Fragment } from 'react';
import { partsOf } from '@/lib/foundWords';

/** So much stands before what was found in an excerpt of the server that does not begin with its text. */
const BEFORE_FOUND = 90;

/** An excerpt that may begin inside a word begins with the next one. */
export function fromWord(text: string, query: string): string {
  const first = partsOf(text, query).find(({ found }) => found);
  if (first === undefined || first.at < BEFORE_FOUND) return text;
  const end = text.search(/\s/);
  return end < 0 || end >= first.at ? text : `…${text.slice(end)}`;
}

/** A text in which the words of a search are marked, whatever the case of their letters. */
export function MarkedText({ text, query }: { text: string; query: string }) {
  return partsOf(text, query).map(({ part, found, at }) =>
    found ? (
      <mark key={at} className="rounded-xs bg-arbitrator-soft text-inherit">
        {part}
      </mark>
    ) : (
      <Fragment key={at}>{part}</Fragment>
    ),
  );
}
