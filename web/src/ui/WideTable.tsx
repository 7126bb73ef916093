import type { ReactNode } from 'react';
import { useT } from '@/i18n';
import { cn } from './cn';

/** What a table wider than its place is scrolled in; a shadow tells where more of it is. */
export function WideTable({ className, children }: { className?: string; children: ReactNode }) {
  const t = useT();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      aria-label={t('table.label')}
      className={cn('scroll-shadow overflow-x-auto', className)}
    >
      {children}
    </div>
  );
}
