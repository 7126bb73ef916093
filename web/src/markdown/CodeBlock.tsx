import type { Element, ElementContent, Root } from 'hast';
import { type Options, toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { useEffect, useMemo, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { useT } from '@/i18n';
import { CitationLink } from './CitationLink';
import { codeWithLinks } from './rehypeCitations';

/** Longer blocks are not highlighted, since that would block the page. */
const MAX_HIGHLIGHTED = 8000;
const RUNTIME: Options = { Fragment, jsx, jsxs, passNode: true, components: { a: CitationLink } };

export function CodeBlock({ node }: { node: Element | undefined }) {
  const t = useT();
  const code = node?.children.find((child): child is Element => child.type === 'element');
  const text = textOf(code?.children ?? []);
  const language = languageOf(code);
  // Highlighting would split a citation into several elements, so a block with citations is not highlighted.
  const linked = useMemo(() => codeWithLinks(text), [text]);
  const coloured = useHighlighted(linked === null ? language : null, text);
  const tree = linked ?? coloured;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <pre role="group" tabIndex={0} aria-label={t('code.label')}>
      <code>{tree === null ? text : toJsxRuntime(tree, RUNTIME)}</code>
    </pre>
  );
}

function useHighlighted(language: string | null, text: string): Root | null {
  const [tree, setTree] = useState<Root | null>(null);
  useEffect(() => {
    if (language === null || text.length > MAX_HIGHLIGHTED) return;
    let stale = false;
    // The highlighter is as large as the rest of the app, so it is loaded with the first block of code.
    void import('./highlight').then(({ highlight }) => {
      if (!stale) setTree(highlight(language, text));
    });
    return () => {
      stale = true;
    };
  }, [language, text]);
  return tree;
}

function languageOf(code: Element | undefined): string | null {
  const classes = code?.properties.className;
  if (!Array.isArray(classes)) return null;
  const named = classes.find((name) => String(name).startsWith('language-'));
  return named === undefined ? null : String(named).slice('language-'.length).toLowerCase();
}

function textOf(nodes: readonly ElementContent[]): string {
  return nodes
    .map((node) => (node.type === 'text' ? node.value : node.type === 'element' ? textOf(node.children) : ''))
    .join('');
}
