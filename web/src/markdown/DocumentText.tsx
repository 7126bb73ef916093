import type { Root } from 'hast';
import { memo, startTransition, useEffect, useMemo, useState } from 'react';
import { useT } from '@/i18n';
import { MarkdownTree, PlainText, PlainTextOnError, requestFor, useParsed } from './Markdown';
import type { Parsed } from './parse';
import type { Marks } from './rehypeMarks';

/** How much of the source is rendered at once, in characters. */
export const PART = 6_000;

/** A document, parsed as a whole; undefined until it is, and null if it cannot be. */
export function useDocumentTree(
  text: string,
  scope: string,
  { marks, levelsAbove = 2 }: { marks?: Marks; levelsAbove?: number | undefined },
): Parsed | undefined {
  const t = useT();
  const request = useMemo(
    () => requestFor({ text, scope, marks, levelsAbove }, t('argument.footnotes')),
    [text, scope, marks, levelsAbove, t],
  );
  return useParsed(request);
}

interface DocumentTextProps {
  text: string;
  scope: string;
  levelsAbove?: number;
}

/** A document: its beginning at once, and the rest in a way that does not block the page. */
export function DocumentText({ text, scope, levelsAbove }: DocumentTextProps) {
  const t = useT();
  const tree = useDocumentTree(text, scope, { levelsAbove });
  const parts = useMemo(() => (tree ? partsOf(tree) : []), [tree]);
  const [count, setCount] = useState(1);
  useEffect(() => startTransition(() => setCount(parts.length)), [parts]);
  const plain = <PlainText text={text} note={t('argument.plain')} />;
  if (tree === null) return plain;
  if (tree === undefined) return <div aria-busy className="min-h-full" />;
  return (
    <PlainTextOnError key={text} plain={plain}>
      {parts.slice(0, count).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key
        <DocumentPart key={index} tree={part} />
      ))}
    </PlainTextOnError>
  );
}

/** Some of the blocks of a document. */
export const DocumentPart = memo(function DocumentPart({ tree }: { tree: Root }) {
  return (
    <div dir="auto" className="prose prose-document">
      <MarkdownTree tree={tree} isDocument />
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
