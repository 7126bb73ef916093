import type { Element } from 'hast';
import type { ReactNode } from 'react';
import { useT } from '@/i18n';

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

/** What `rehypeLines` put there. */
function linesOf(node: Element | undefined): string | undefined {
  const lines = node?.properties.dataLines;
  return typeof lines === 'string' ? lines : undefined;
}
