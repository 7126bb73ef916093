import { Fragment } from 'react';

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

/** The text by parts that were searched for and parts that were not. */
export function partsOf(text: string, query: string): { part: string; found: boolean; at: number }[] {
  const words = query.match(/"[^"]+"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
  const escaped = words.filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (escaped.length === 0) return [{ part: text, found: false, at: 0 }];
  const parts = text.split(new RegExp(`(${escaped.join('|')})`, 'giu'));
  let at = 0;
  return parts.flatMap((part, index) => {
    const place = { part, found: index % 2 === 1, at };
    at += part.length;
    return part === '' ? [] : place;
  });
}
