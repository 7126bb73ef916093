import { Component, memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import { useT } from '@/i18n';
import { CitationLink, isCitation } from './CitationLink';
import { CodeBlock } from './CodeBlock';
import { cite } from './cite';
import { htmlAsText } from './htmlAsText';
import { outline } from './outline';

// Raw HTML is never parsed, and what markdown makes is sanitized all the same. Ids get their prefix from remark.
const SANITIZE = { ...defaultSchema, clobberPrefix: '' };
/** Quotes within quotes that nobody reads, and that take a parser seconds. */
const TOO_DEEP = /(?:>[ \t]?){60}/;
const SAFE_LINK = /^(https?:\/\/|mailto:)/i;
const PLUGINS: PluggableList = [[rehypeSanitize, SANITIZE], cite];

type PluggableList = NonNullable<Options['rehypePlugins']>;

interface MarkdownProps {
  text: string;
  /** Keeps the ids of footnotes apart between arguments. */
  scope: string;
  /**
   * A document has headings of several levels, and a part of it stands under some of them; an argument is a message,
   * and shows them all alike.
   */
  under?: readonly number[];
}

export const Markdown = memo(function Markdown({ text, scope, under }: MarkdownProps) {
  const t = useT();
  const page = under !== undefined;
  const plain = <PlainText text={text} note={t('argument.plain')} />;
  if (TOO_DEEP.test(text)) return plain;
  return (
    <Fallback key={text} plain={plain}>
      <div dir="auto" className={page ? 'prose prose-page' : 'prose'}>
        <ReactMarkdown
          remarkPlugins={[remarkGfm, htmlAsText, remarkBreaks]}
          remarkRehypeOptions={{ clobberPrefix: `${scope}-`, footnoteLabel: t('argument.footnotes') }}
          rehypePlugins={page ? [...PLUGINS, [outline, under]] : PLUGINS}
          components={page ? PAGE_COMPONENTS : COMPONENTS}
        >
          {text}
        </ReactMarkdown>
      </div>
    </Fallback>
  );
});

function ExternalLink({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  if (href === undefined || !SAFE_LINK.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {isEmpty(children) ? href : children}
    </a>
  );
}

/** Nothing is fetched because an agent wrote it: an image is a link to it. */
function ImageLink({ src, alt }: { src?: unknown; alt?: string | undefined }) {
  const t = useT();
  const href = typeof src === 'string' ? src : undefined;
  return <ExternalLink href={href}>{t('argument.image', { alt: alt || href || '?' })}</ExternalLink>;
}

/** The card's own heading is the second level; all of an argument's are below it. */
function Heading({ children }: { children?: ReactNode }) {
  return isEmpty(children) ? null : <h3>{children}</h3>;
}

function Table({ children }: { children?: ReactNode }) {
  const t = useT();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" tabIndex={0} aria-label={t('table.label')} className="table-scroll">
      <table>{children}</table>
    </div>
  );
}

function HeaderCell({ children }: { children?: ReactNode }) {
  return isEmpty(children) ? <td /> : <th scope="col">{children}</th>;
}

function isEmpty(children: ReactNode): boolean {
  return (
    children === undefined ||
    children === null ||
    children === '' ||
    (Array.isArray(children) && children.every(isEmpty))
  );
}

const PAGE_COMPONENTS: Components = {
  a: ({ node, href, children }) =>
    node && isCitation(node) ? (
      <CitationLink node={node}>{children}</CitationLink>
    ) : (
      <ExternalLink href={href}>{children}</ExternalLink>
    ),
  img: ({ src, alt }) => <ImageLink src={src} alt={alt} />,
  table: ({ children }) => <Table>{children}</Table>,
  th: ({ children }) => <HeaderCell>{children}</HeaderCell>,
  pre: ({ node }) => <CodeBlock node={node} />,
  input: ({ checked }) => <span>{checked ? '☑ ' : '☐ '}</span>,
};

const COMPONENTS: Components = {
  ...PAGE_COMPONENTS,
  h1: ({ children }) => <Heading>{children}</Heading>,
  h2: ({ children }) => <Heading>{children}</Heading>,
  h3: ({ children }) => <Heading>{children}</Heading>,
  h4: ({ children }) => <Heading>{children}</Heading>,
  h5: ({ children }) => <Heading>{children}</Heading>,
  h6: ({ children }) => <Heading>{children}</Heading>,
};

function PlainText({ text, note }: { text: string; note: string }) {
  return (
    <div>
      <p className="mb-2 text-xs text-muted">{note}</p>
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
        {text}
      </p>
    </div>
  );
}

/** Text that no parser survives is still text. */
class Fallback extends Component<{ plain: ReactNode; children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.plain : this.props.children;
  }
}
