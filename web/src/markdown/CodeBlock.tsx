import type { Element, ElementContent, Root } from 'hast';
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { useEffect, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { useT } from '@/i18n';

/** Longer blocks stay plain: colouring them would hold up the page. */
const LONGEST = 8000;

export function CodeBlock({ node }: { node: Element | undefined }) {
  const t = useT();
  const code = node?.children.find((child): child is Element => child.type === 'element');
  const text = textOf(code?.children ?? []);
  const language = languageOf(code);
  const tree = useHighlighted(language, text);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <pre role="group" tabIndex={0} aria-label={t('code.label')}>
      <code>{tree === null ? text : toJsxRuntime(tree, { Fragment, jsx, jsxs })}</code>
    </pre>
  );
}

function useHighlighted(language: string | null, text: string): Root | null {
  const [tree, setTree] = useState<Root | null>(null);
  useEffect(() => {
    if (language === null || text.length > LONGEST) return;
    let stale = false;
    // The highlighter is as large as the rest of the page: it comes when the first block of code does.
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
