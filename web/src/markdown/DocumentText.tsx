import type { Root } from 'hast';
import { memo, startTransition, useEffect, useMemo, useState } from 'react';
import { useT } from '@/i18n';
import { ErrorBoundary } from '@/ui/lazyComponent';
import { MarkdownTree, PlainText, useTree } from './Markdown';

/** How much of the source is rendered at once, in characters. */
export const PART = 6_000;

interface DocumentTextProps {
  text: string;
  scope: string;
  /** The levels of headings that the page has above it. */
  levelsAbove?: number;
}

/** A document: its beginning at once, and the rest in a way that does not block the page. */
export function DocumentText({ text, scope, levelsAbove = 2 }: DocumentTextProps) {
  const t = useT();
  // A long one takes seconds to be parsed, so its beginning is shown before.
  const beginning = useTree(beginningOf(text), scope, levelsAbove);
  const whole = useTree(text, scope, levelsAbove);
  const tree = whole === undefined ? beginning : whole;
  const parts = useMemo(() => (tree ? partsOf(tree) : []), [tree]);
  const [count, setCount] = useState(1);
  useEffect(() => startTransition(() => setCount(parts.length)), [parts]);
  const plain = <PlainText text={text} note={t('argument.plain')} />;
  if (tree === null) return plain;
  if (tree === undefined) return <div aria-busy className="min-h-full" />;
  return (
    <ErrorBoundary key={text} fallback={plain}>
      {parts.slice(0, count).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key
        <DocumentPart key={index} tree={part} />
      ))}
    </ErrorBoundary>
  );
}

/** The paragraphs that are parsed first, in characters. */
const BEGINNING = 20_000;

/** The text, or the first paragraphs of a long one. */
function beginningOf(text: string): string {
  if (text.length <= 2 * BEGINNING) return text;
  const end = text.lastIndexOf('\n\n', BEGINNING);
  return text.slice(0, end > 0 ? end : BEGINNING);
}

/** Some of the blocks of a document. */
export const DocumentPart = memo(function DocumentPart({ tree }: { tree: Root }) {
  return (
    <div dir="auto" className="prose prose-document">
      <MarkdownTree tree={tree} />
    </div>
  );
});

/** The tree in parts: consecutive blocks of the first level. */
export function partsOf(tree: Root): Root[] {
  const parts: Root[] = [];
  let end = 0;
  for (const child of tree.children) {
    const offset = child.position?.start.offset ?? 0;
    const last = parts.at(-1);
    if (last !== undefined && (offset < end || child.type !== 'element')) last.children.push(child);
    else {
      parts.push({ type: 'root', children: [child] });
      end = offset + PART;
    }
  }
  return parts;
}
