import type { Element, Root } from 'hast';
import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { Component, memo, type ReactNode, useEffect, useMemo, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { useT } from '@/i18n';
import { visible } from '@/lib/visible';
import { CitedDocumentLink } from '@/ui/CitedDocumentLink';
import { IssueLink } from '@/ui/IssueLink';
import { Diagram } from './Diagram';
import { cached, type Parsed, parse } from './parse';
import type { Marks } from './rehypeMarks';
import { textOf } from './rehypeShown';
import type { MarkdownRequest } from './toHast';

/** Deeply nested quotes take the parser seconds. */
const TOO_DEEP = /(?:>[ \t]?){60}/;
const SAFE_LINK = /^(https?:\/\/|mailto:)/i;

interface MarkdownProps {
  text: string;
  /** Prefix for the ids of footnotes, which must differ between arguments. */
  scope: string;
}

/** Markdown, parsed in a worker. Until that is done its text takes the room that it will need, unseen. */
export const Markdown = memo(function Markdown(props: MarkdownProps) {
  const { text, scope } = props;
  const t = useT();
  const request = useMemo(() => requestFor({ text, scope }, t('argument.footnotes')), [text, scope, t]);
  const tree = useParsed(request);
  const plain = <PlainText text={text} note={t('argument.plain')} />;
  if (tree === null) return plain;
  return (
    <div dir="auto" aria-busy={tree === undefined} className="prose">
      {tree === undefined ? (
        <p className="invisible whitespace-pre-wrap">{text}</p>
      ) : (
        <PlainTextOnError key={text} plain={plain}>
          <MarkdownTree tree={tree} isDocument={false} />
        </PlainTextOnError>
      )}
    </div>
  );
});

/** The sanitized tree of an agent's text as React elements. */
export function MarkdownTree({ tree, isDocument }: { tree: Root; isDocument: boolean }) {
  const components = isDocument ? DOCUMENT_COMPONENTS : ARGUMENT_COMPONENTS;
  return toJsxRuntime(tree, { Fragment, jsx, jsxs, components, passNode: true, ignoreInvalidStyle: true });
}

/** What the parser has to know to parse a text; null if the text would take it too long. */
export function requestFor(
  props: MarkdownProps & { levelsAbove?: number; marks?: Marks | undefined },
  footnotes: string,
): MarkdownRequest | null {
  const { text, scope, levelsAbove = null, marks = null } = props;
  return TOO_DEEP.test(text) ? null : { text, scope, footnotes, levelsAbove, marks };
}

/** The tree; null if the text cannot be parsed, undefined until it is parsed. */
export function useParsed(request: MarkdownRequest | null): Parsed | undefined {
  const known = request === null ? null : cached(request);
  const [arrived, setArrived] = useState<{ request: MarkdownRequest; tree: Parsed } | null>(null);
  const waits = known === undefined;
  useEffect(() => {
    if (!waits || request === null) return;
    let stale = false;
    void parse(request).then((tree) => {
      if (!stale) setArrived({ request, tree });
    });
    return () => {
      stale = true;
    };
  }, [request, waits]);
  if (known !== undefined) return known;
  return arrived?.request === request ? arrived?.tree : undefined;
}

interface AnchorProps {
  node?: Element | undefined;
  href?: string | undefined;
  children?: ReactNode;
}

function DocumentOrExternalLink({ node, href, children }: AnchorProps) {
  return node && isCitation(node) ? (
    <CitationLink node={node}>{children}</CitationLink>
  ) : (
    <ExternalLink href={href}>{children}</ExternalLink>
  );
}

function ExternalLink({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  if (href?.startsWith('#')) return <LinkWithin id={href.slice(1)}>{children}</LinkWithin>;
  if (href === undefined || !SAFE_LINK.test(href)) return <span>{children}</span>;
  const target = visible(href);
  const named = isEmpty(children) || children === href;
  return (
    <>
      <a href={href} title={target} target="_blank" rel="noopener noreferrer nofollow">
        {named ? target : children}
      </a>
      {!named && <span className="link-target">{target.replace(/^(https?:\/\/|mailto:)/i, '')}</span>}
    </>
  );
}

/** A link to a heading or a footnote of the same text. The address stays that of the debate. */
function LinkWithin({ id, children }: { id: string; children?: ReactNode }) {
  return (
    <button
      type="button"
      className="link-within"
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

/** All headings of an argument are h3, below the card's own h2. */
function Heading({ children }: { children?: ReactNode }) {
  return isEmpty(children) ? null : <h3 dir="auto">{children}</h3>;
}

function Table({ children }: { children?: ReactNode }) {
  const t = useT();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" tabIndex={0} aria-label={t('table.label')} className="table-scroll">
      <table>{children}</table>
    </div>
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

const DOCUMENT_COMPONENTS: Partial<Components> = {
  a: DocumentOrExternalLink,
  img: ({ src, alt }) => <ImageLink src={src} alt={alt} />,
  table: ({ children }) => <Table>{children}</Table>,
  th: ({ children }) => <HeaderCell>{children}</HeaderCell>,
  pre: ({ node, children }) => {
    const block = <CodeBlock node={node}>{children}</CodeBlock>;
    const diagram = diagramIn(node);
    return diagram === null ? (
      block
    ) : (
      <Diagram text={diagram} lines={linesOf(node)}>
        {block}
      </Diagram>
    );
  },
  input: ({ checked }) => <span>{checked ? '☑ ' : '☐ '}</span>,
};

const ARGUMENT_COMPONENTS: Partial<Components> = {
  ...DOCUMENT_COMPONENTS,
  a: ({ node, href, children }) => {
    const issue = node?.properties.dataIssue;
    if (typeof issue === 'string') {
      return (
        <IssueLink id={issue} className="issue-reference">
          {children}
        </IssueLink>
      );
    }
    return (
      <DocumentOrExternalLink node={node} href={href}>
        {children}
      </DocumentOrExternalLink>
    );
  },
  h1: ({ children }) => <Heading>{children}</Heading>,
  h2: ({ children }) => <Heading>{children}</Heading>,
  h3: ({ children }) => <Heading>{children}</Heading>,
  h4: ({ children }) => <Heading>{children}</Heading>,
  h5: ({ children }) => <Heading>{children}</Heading>,
  h6: ({ children }) => <Heading>{children}</Heading>,
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

/** Shows the plain text if a component throws, as it does if the tree is too deep. */
export class PlainTextOnError extends Component<
  { plain: ReactNode; children: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.plain : this.props.children;
  }
}

/** Whether `rehypeCitations` made the element: sanitized markdown never has these properties. */
export function isCitation({ properties }: Element): boolean {
  return typeof properties.dataDocument === 'string';
}

/** The text of a citation as a link to the document version. */
export function CitationLink({ node, children }: { node?: Element | undefined; children?: ReactNode }) {
  const { dataDocument: id, dataVersion: version, dataVerbatim: verbatim } = node?.properties ?? {};
  if (typeof id !== 'string') return <span>{children}</span>;
  return (
    <CitedDocumentLink
      id={id}
      version={typeof version === 'number' ? version : null}
      verbatim={verbatim === true}
    >
      {children}
    </CitedDocumentLink>
  );
}

/** A block of code, which was highlighted when it was parsed. */
export function CodeBlock({ node, children }: { node?: Element | undefined; children?: ReactNode }) {
  const t = useT();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <pre role="group" tabIndex={0} aria-label={t('code.label')} data-lines={linesOf(node)}>
      {children}
    </pre>
  );
}

/** The text of a block of code for mermaid; null if it is for something else. */
function diagramIn(node: Element | undefined): string | null {
  const code = node?.children[0];
  if (code?.type !== 'element') return null;
  const names = code.properties.className;
  return Array.isArray(names) && names.includes('language-mermaid') ? textOf(code) : null;
}

/** What `rehypeLines` put there. */
function linesOf(node: Element | undefined): string | undefined {
  const lines = node?.properties.dataLines;
  return typeof lines === 'string' ? lines : undefined;
}
