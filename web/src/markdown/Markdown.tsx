import type { Element } from 'hast';
import { Component, memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import { useT } from '@/i18n';
import { IssueLink } from '@/ui/IssueLink';
import { CitationLink, isCitation } from './CitationLink';
import { CodeBlock } from './CodeBlock';
import { rehypeCitations } from './rehypeCitations';
import { rehypeHeadingLevels } from './rehypeHeadingLevels';
import { rehypeIssueReferences } from './rehypeIssueReferences';
import { remarkHtmlAsText } from './remarkHtmlAsText';

// Raw HTML is never parsed, and the output is sanitized as well. remark-rehype prefixes the ids.
const SANITIZE = { ...defaultSchema, clobberPrefix: '' };
/** Deeply nested quotes take the parser seconds. */
const TOO_DEEP = /(?:>[ \t]?){60}/;
const SAFE_LINK = /^(https?:\/\/|mailto:)/i;
const PLUGINS: PluggableList = [[rehypeSanitize, SANITIZE], rehypeCitations];
const ARGUMENT_PLUGINS: PluggableList = [...PLUGINS, rehypeIssueReferences];

type PluggableList = NonNullable<Options['rehypePlugins']>;

interface MarkdownProps {
  text: string;
  /** Prefix for the ids of footnotes, which must differ between arguments. */
  scope: string;
  /** For a part of a document: the levels of the headings above it. Without it all headings look alike. */
  headingsAbove?: readonly number[];
}

export const Markdown = memo(function Markdown({ text, scope, headingsAbove }: MarkdownProps) {
  const t = useT();
  const isDocument = headingsAbove !== undefined;
  const plain = <PlainText text={text} note={t('argument.plain')} />;
  if (TOO_DEEP.test(text)) return plain;
  return (
    <PlainTextOnError key={text} plain={plain}>
      <div dir="auto" className={isDocument ? 'prose prose-document' : 'prose'}>
        <ReactMarkdown
          remarkPlugins={[remarkGfm, remarkHtmlAsText, remarkBreaks]}
          remarkRehypeOptions={{ clobberPrefix: `${scope}-`, footnoteLabel: t('argument.footnotes') }}
          rehypePlugins={isDocument ? [...PLUGINS, [rehypeHeadingLevels, headingsAbove]] : ARGUMENT_PLUGINS}
          components={isDocument ? DOCUMENT_COMPONENTS : ARGUMENT_COMPONENTS}
        >
          {text}
        </ReactMarkdown>
      </div>
    </PlainTextOnError>
  );
});

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
  if (href === undefined || !SAFE_LINK.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {isEmpty(children) ? href : children}
    </a>
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
  return isEmpty(children) ? null : <h3>{children}</h3>;
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

const DOCUMENT_COMPONENTS: Components = {
  a: DocumentOrExternalLink,
  img: ({ src, alt }) => <ImageLink src={src} alt={alt} />,
  table: ({ children }) => <Table>{children}</Table>,
  th: ({ children }) => <HeaderCell>{children}</HeaderCell>,
  pre: ({ node }) => <CodeBlock node={node} />,
  input: ({ checked }) => <span>{checked ? '☑ ' : '☐ '}</span>,
};

const ARGUMENT_COMPONENTS: Components = {
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

function PlainText({ text, note }: { text: string; note: string }) {
  return (
    <div>
      <p className="mb-2 text-xs text-muted-foreground">{note}</p>
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
        {text}
      </p>
    </div>
  );
}

/** Shows the plain text if the parser or a component throws. */
class PlainTextOnError extends Component<{ plain: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.plain : this.props.children;
  }
}
