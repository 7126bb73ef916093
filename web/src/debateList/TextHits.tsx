import { type Ref, useEffect, useState } from 'react';
import { api } from '@/api/client';
import type { SearchHit, SearchKind } from '@/api/types';
import { useT } from '@/i18n';
import { foundWords } from '@/lib/foundWords';
import { debatePath, navigate } from '@/lib/router';
import { citationsIn } from '@/markdown/citations';
import { Button } from '@/ui/button';
import { InlineText, withoutMarks } from '@/ui/InlineText';
import { Link } from '@/ui/Link';
import { fromWord, MarkedText } from './MarkedText';
import { StateWords } from './StateWords';

/** Titles are found by the list itself. */
const KINDS: SearchKind[] = ['ruling', 'issue', 'argument'];
const MOST = 100;
/** Of one debate, until the others are asked for. */
const FIRST_OF_DEBATE = 3;

interface Hits {
  hits: readonly SearchHit[];
  total: number;
  /** Whether the server looked at all texts. */
  complete: boolean;
  /** Whether the answer has come. */
  loaded: boolean;
}

const NONE: Hits = { hits: [], total: 0, complete: true, loaded: true };

/** What was said and decided with these words, as the server finds it. */
export function useTextHits(query: string): Hits {
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    const q = query.trim();
    setFound({ ...NONE, loaded: q === '' });
    if (q === '') return;
    const request = new AbortController();
    api.search({ q, kind: KINDS, limit: MOST }, request.signal).then(
      (answer) => setFound({ ...answer, loaded: true }),
      // The list says that the server cannot be reached.
      () => setFound(NONE),
    );
    return () => request.abort();
  }, [query]);
  return found;
}

/** An excerpt in which citations have a word in place of the document's id, which nobody reads. */
export function withoutIds(text: string, word: string): string {
  return citationsIn(text).reduceRight(
    (before, { start, end, version }) =>
      before.slice(0, start) + word + (version === null ? '' : ` v${version}`) + before.slice(end),
    text,
  );
}

/** The text of a hit as it is read: from what was found on, without marks and ids. */
export function excerpt(text: string, query: string, cited: string): string {
  return withoutIds(fromWord(withoutMarks(text), query), cited);
}

/** Title, place and note of an issue, which are a line each, in one line. */
export const issueLine = (text: string) => text.trim().replaceAll('\n', ' · ');

/** The hits of each debate, in the order of its newest one. */
export function byDebate(hits: readonly SearchHit[]): readonly SearchHit[][] {
  const debates = new Map<string, SearchHit[]>();
  for (const hit of hits) debates.set(hit.debate_id, [...(debates.get(hit.debate_id) ?? []), hit]);
  return [...debates.values()];
}

/** The argument or the issue in which it was found. */
export function hitPath({ debate_id, issue, seq }: SearchHit): string {
  return debatePath(debate_id, issue ?? seq);
}

export function TextHits({ hits, total, complete, query }: Hits & { query: string }) {
  const t = useT();
  if (hits.length === 0 && complete) return null;
  return (
    <section aria-label={t('search.texts')}>
      <h2 className="px-3 pt-3 pb-1.5 text-xs font-semibold text-muted-foreground tabular-nums">
        {t('search.texts')} · {total}
      </h2>
      {!complete && (
        <p role="status" className="px-3 pb-1.5 text-xs text-muted-foreground">
          {t('search.incomplete')}
        </p>
      )}
      <ul className="grid grid-cols-1 gap-0.5">
        {byDebate(hits).map((found) => (
          <DebateHits key={`${query} ${found[0]?.debate_id}`} hits={found} query={query} />
        ))}
      </ul>
    </section>
  );
}

/** The newest hits of one debate, so that it does not hide the others, and a button for the rest. */
function DebateHits({ hits, query }: { hits: readonly SearchHit[]; query: string }) {
  const t = useT();
  const [all, setAll] = useState(false);
  const more = all ? 0 : hits.length - FIRST_OF_DEBATE;
  return (
    <>
      {(all ? hits : hits.slice(0, FIRST_OF_DEBATE)).map((hit, index) => (
        <TextHit
          key={`${hit.kind} ${hit.seq} ${hit.issue} ${hit.text}`}
          hit={hit}
          titled={index === 0}
          query={query}
          // In place of the button, which is gone.
          ref={index === FIRST_OF_DEBATE ? takeFocus : undefined}
        />
      ))}
      {more > 0 && (
        <li>
          <Button size="sm" className="mb-1 ml-3" onClick={() => setAll(true)}>
            {t('search.more', { n: more })}
          </Button>
        </li>
      )}
    </>
  );
}

const takeFocus = (link: HTMLElement | null) => link?.focus();

interface TextHitProps {
  hit: SearchHit;
  /** Whether it has the title of its debate: the first of several has it for all. */
  titled: boolean;
  query: string;
  ref: Ref<HTMLAnchorElement> | undefined;
}

function TextHit({ hit, titled, query, ref }: TextHitProps) {
  const t = useT();
  const { kind, debate_id, debate_title, debate_state, seq, issue, text } = hit;
  const shown = kind === 'issue' ? issueLine(text) : text;
  return (
    <li>
      <Link
        ref={ref}
        href={hitPath(hit)}
        onNavigate={() => {
          foundWords.set({ debateId: debate_id, place: issue ?? seq, words: query });
          navigate(hitPath(hit));
        }}
        data-hit={kind}
        className="block rounded-xl px-3 py-2 hover:bg-accent focus-visible:outline-offset-[-2px]"
      >
        {titled && (
          <span
            data-hit-title
            dir="auto"
            className="mb-0.5 line-clamp-2 text-sm leading-snug font-medium wrap-anywhere"
          >
            <InlineText text={debate_title} />
          </span>
        )}
        <span dir="auto" className="line-clamp-3 text-[13px] leading-snug wrap-anywhere">
          <MarkedText text={excerpt(shown, query, t('search.cited'))} query={query} />
        </span>
        <span className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-muted-foreground">
          <span className="shrink-0 font-medium tabular-nums">
            {t.label('search', kind)} {issue ?? `#${seq}`}
          </span>
          {!titled && (
            <span dir="auto" className="sr-only">
              {debate_title}
            </span>
          )}
          <span data-hit-state className="ml-auto flex shrink-0 items-center gap-1.5">
            <StateWords state={debate_state} />
          </span>
        </span>
      </Link>
    </li>
  );
}
