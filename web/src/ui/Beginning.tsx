import type { ReactNode } from 'react';
import { useT } from '@/i18n';
import { beginningOf } from '@/lib/sentences';
import { cn } from './cn';

interface BeginningProps {
  text: string;
  /** About how many are shown. */
  letters: number;
  /** Whether all of it is shown. */
  whole?: boolean;
  /** Whether a phone has no room to say how much is left. */
  brief?: boolean;
  children: (shown: string) => ReactNode;
}

/** The beginning of what somebody wrote, to the end of a sentence, and how much is left. */
export function Beginning({ text, letters, whole = false, brief = false, children }: BeginningProps) {
  const t = useT();
  const { shown, left } = whole ? { shown: text, left: 0 } : beginningOf(text, letters);
  return (
    <>
      {children(shown)}
      {shown !== text && (
        <>
          {' '}
          <span
            data-shortened
            className={cn(
              'text-xs whitespace-nowrap text-muted-foreground tabular-nums',
              brief && 'max-sm:sr-only',
            )}
          >
            {left > 0 && `(${t('argument.left', { n: left })})`}
          </span>
          {brief && !shown.endsWith('…') && (
            <span aria-hidden className="text-muted-foreground sm:hidden">
              …
            </span>
          )}
        </>
      )}
    </>
  );
}
