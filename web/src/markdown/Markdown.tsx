import { useQuery } from '@tanstack/react-query';
import type { Element, Root } from 'hast';
import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { memo, type ReactNode, useMemo } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { useT } from '@/i18n';
import { visible } from '@/lib/hiddenCharacters';
import { debatePath } from '@/lib/router';
import { CitedDocumentLink } from '@/ui/CitedDocumentLink';
import { IssueLink } from '@/ui/IssueLink';
import { Link } from '@/ui/Link';
import { ErrorBoundary } from '@/ui/lazyComponent';
import { WideTable } from '@/ui/WideTable';
import { Diagram } from './Diagram';
import type { Marks } from './markWords';
import { languageOf, textOf } from './nodes';
import { parse } from './parse';

/** Deeply nested quotes take the parser seconds. */
const TOO_DEEP = /(?:>[ \t]?){60}/;
/** How long a tree is kept that is not shown. */
const KEPT_MS = 120_000;
const SAFE_LINK = /^(https?:\/\/|mailto:)/i;

interface MarkdownProps {
  text: string;
  /** Prefix for the ids of footnotes, which must differ between arguments. */
  scope: string;
}

/** Markdown, parsed in a worker. Until that is done its text takes the room that it will need, unseen. */
export const Markdown = memo(function Markdown({ text, scope }: MarkdownProps) {
  const t = useT();
  const tree = useTree(text, scope, null);
  const plain = <PlainText text={text} note={t('argument.plain')} />;
  if (tree === null) return plain;
  return (
    <div dir="auto" aria-busy={tree === undefined} className="prose">
      {tree === undefined ? (
        <Unparsed text={text} />
      ) : (
        <ErrorBoundary key={text} fallback={plain}>
          <MarkdownTree tree={tree} />
        </ErrorBoundary>
      )}
    </div>
  );
});

/** Where the next item of a list begins. */
const NEXT_ITEM = /\n(?=[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t])/;

/** Takes about the room that the text will need, unseen: its paragraphs and items, with citations as short as their links. */
function Unparsed({ text }: { text: string }) {
  const paragraphs = text.replace(/doc_id=[0-9a-f-]{36}/gi, 'The title of it').split(/\n\s*\n/);
  return paragraphs.map((paragraph, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no other key
    <ul key={index} className="invisible list-none! p-0! whitespace-pre-wrap">
      {paragraph.split(NEXT_ITEM).map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no other key
        <li key={index}>{item}</li>
      ))}
    </ul>
  ));
}

/** The sanitized tree of an agent's text as React elements. */
export function MarkdownTree({ tree }: { tree: Root }) {
  return toJsxRuntime(tree, {
    Fragment,
    jsx,
    jsxs,
    components: COMPONENTS,
    passNode: true,
    ignoreInvalidStyle: true,
  });
}

/** The tree of a text, parsed as a whole; undefined until it is, and null if it cannot be. */
export function useTree(
  text: string,
  scope: string,
  levelsAbove: number | null,
  marks: Marks | null = null,
): Root | null | undefined {
  const footnotes = useT()('argument.footnotes');
  const tooDeep = useMemo(() => TOO_DEEP.test(text), [text]);
  const request = { text, scope, footnotes, levelsAbove, marks };
  const { data, errorUpdateCount } = useQuery({
    queryKey: ['markdown', request],
    queryFn: async () => {
      const tree = await parse(request);
      // What failed may succeed another time, as when the server could not be reached.
      if (tree === null) throw new Error('not parsed');
      return tree;
    },
    enabled: !tooDeep,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    structuralSharing: false,
  });
  // While it is tried again, which React Query tells like a first time, what stands for it stays.
  const failed = data === undefined && errorUpdateCount > 0;
  return tooDeep || failed ? null : data;
}

interface AnchorProps {
  node?: Element | undefined;
  href?: string | undefined;
  children?: ReactNode;
}

/** Sanitized markdown never has the properties by which citations and mentions of issues are told. */
function Anchor({ node, href, children }: AnchorProps) {
  const { dataIssue, dataDocument, dataVersion, dataVerbatim, dataDebate, dataSeq } = node?.properties ?? {};
  if (typeof dataDebate === 'string' && typeof dataSeq === 'number') {
    return <Link href={debatePath(dataDebate, dataSeq)}>{children}</Link>;
  }
  if (typeof dataIssue === 'string') {
    return (
      <IssueLink id={dataIssue} className="font-[550] tabular-nums">
        {children}
      </IssueLink>
    );
  }
  if (typeof dataDocument !== 'string') return <ExternalLink href={href}>{children}</ExternalLink>;
  const version = typeof dataVersion === 'number' ? dataVersion : null;
  return (
    <CitedDocumentLink id={dataDocument} version={version} verbatim={dataVerbatim === true}>
      {children}
    </CitedDocumentLink>
  );
}

function ExternalLink({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  if (href?.startsWith('#')) return <LinkWithin id={href.slice(1)}>{children}</LinkWithin>;
  if (href === undefined || !SAFE_LINK.test(href)) return <span>{children}</span>;
  const place = String(children);
  // An argument of the debate that is open, as in its record.
  if (
    /^#\d{1,9}$/.test(place) &&
    /\/d\/[^/]+$/.test(href) &&
    href === location.origin + location.pathname + place
  ) {
    return (
      <Link href={location.pathname + place} className="tabular-nums">
        {children}
      </Link>
    );
  }
  const target = visible(href);
  const named = isEmpty(children) || children === href;
  return (
    <>
      <a href={href} title={target} target="_blank" rel="noopener noreferrer nofollow">
        {named ? target : children}
      </a>
      {!named && (
        <span className="ml-[0.3em] inline-block max-w-72 truncate align-bottom text-[0.8em] text-muted-foreground">
          {target.replace(/^(https?:\/\/|mailto:)/i, '')}
        </span>
      )}
    </>
  );
}

/** A link to a heading or a footnote of the same text. The address stays that of the debate. */
function LinkWithin({ id, children }: { id: string; children?: ReactNode }) {
  return (
    <button
      type="button"
      className="link"
      onClick={() => document.getElementById(id)?.scrollIntoView({ block: 'start' })}
    >
      {children}
    </button>
  );
}

/** An image is shown as a link, so that an agent's text never makes the browser fetch anything. */
function ImageLink({ src, alt }: { src?: unknown; alt?: string | undefined }) {
  const t = useT();
  const href = typeof src === 'string' ? src : undefined;
  return <ExternalLink href={href}>{t('argument.image', { alt: alt || href || '?' })}</ExternalLink>;
}

function Table({ children }: { children?: ReactNode }) {
  return (
    <WideTable>
      <table>{children}</table>
    </WideTable>
  );
}

function HeaderCell({ children }: { children?: ReactNode }) {
  return isEmpty(children) ? (
    <td />
  ) : (
    <th scope="col" dir="auto">
      {children}
    </th>
  );
}

function isEmpty(children: ReactNode): boolean {
  return (
    children === undefined ||
    children === null ||
    children === '' ||
    (Array.isArray(children) && children.every(isEmpty))
  );
}

/** A block of code, which was highlighted when it was parsed, or a diagram. */
function CodeBlock({ node, children }: { node?: Element | undefined; children?: ReactNode }) {
  const t = useT();
  // What `addSourceLines` put there.
  const lines = node?.properties.dataLines;
  const shownLines = typeof lines === 'string' ? lines : undefined;
  const block = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <pre role="group" tabIndex={0} aria-label={t('code.label')} data-lines={shownLines}>
      {children}
    </pre>
  );
  const code = node?.children[0];
  if (code?.type !== 'element' || languageOf(code) !== 'mermaid') return block;
  return (
    <Diagram text={textOf(code)} lines={shownLines}>
      {block}
    </Diagram>
  );
}

const COMPONENTS: Partial<Components> = {
  a: Anchor,
  img: ImageLink,
  table: Table,
  th: HeaderCell,
  pre: CodeBlock,
  input: ({ checked }) => <span>{checked ? '☑ ' : '☐ '}</span>,
};

export function PlainText({ text, note }: { text: string; note: string }) {
  return (
    <div>
      <p className="mb-2 text-xs text-muted-foreground">{note}</p>
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
        {visible(text)}
      </p>
    </div>
  );
}
