import { type ReactNode, useState } from 'react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';
import { ArgumentLink } from '@/ui/ArgumentLink';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { roleStyle } from '@/ui/roleStyles';
import { TextSkeleton } from '@/ui/Skeleton';
import { useMediaQuery } from '@/ui/useMediaQuery';
import { ArgumentText } from '../ArgumentText';
import { FoldedArgument } from '../FoldedArgument';

/** Of what each side said last. */
const SIDE_LINES = { few: 2, many: 6 };
/** A screen that has room for many of them. */
const ROOMY = '(min-width: 48rem) and (min-height: 40rem)';

interface LoadingProps {
  query: { isError: boolean; refetch: () => unknown };
}

/** Shown until something has arrived, also if it could not be fetched. */
export function Loading({ query: { isError, refetch } }: LoadingProps) {
  const t = useT();
  if (!isError) return <TextSkeleton />;
  return (
    <p className="flex items-center gap-2 text-sm text-muted-foreground">
      {t('failed.title')}
      <Button size="sm" onClick={() => void refetch()}>
        {t('failed.retry')}
      </Button>
    </p>
  );
}

interface SaidProps {
  argument: Argument;
  /** So many lines of it; the rest on demand. */
  lines?: number;
  /** Only its beginning, which cannot be expanded. */
  excerpt?: boolean;
}

/** An argument outside the debate, which it leads to. */
export function Said({ argument, lines, excerpt = false }: SaidProps) {
  const t = useT();
  const [expanded, setExpanded] = useState(false);
  const { debate_id, seq, role } = argument;
  const heading = (
    <p className="flex items-center gap-1.5 text-xs text-muted-foreground">
      <span className={cn('font-semibold', roleStyle(role).text)}>{t.label('role', role)}</span>
      <ArgumentLink debateId={debate_id} seq={seq} />
    </p>
  );
  if (lines !== undefined) return <FoldedArgument heading={heading} argument={argument} lines={lines} />;
  return (
    <>
      <div className="mb-0.5">{heading}</div>
      <ArgumentText
        argument={argument}
        expanded={expanded}
        onToggle={excerpt ? null : () => setExpanded(!expanded)}
      />
    </>
  );
}

interface BothSidesProps {
  sides: readonly Argument[];
  /** Whether options follow, for which there has to be room. */
  beforeOptions: boolean;
}

/** What each side said last, beside each other and with the same weight. */
export function BothSides({ sides, beforeOptions }: BothSidesProps) {
  const t = useT();
  const roomy = useMediaQuery(ROOMY) && !beforeOptions;
  if (sides.length === 0) return null;
  return (
    <section
      aria-label={t('ruling.sides')}
      className={cn('mt-2 grid grid-cols-1 items-start gap-1.5', sides.length > 1 && '@xl:grid-cols-2')}
    >
      {sides.map((argument) => (
        <div
          key={argument.id}
          data-side={argument.role}
          className="min-w-0 rounded-xl border bg-card px-3 pt-1 pb-2 text-sm"
        >
          <Said argument={argument} lines={roomy ? SIDE_LINES.many : SIDE_LINES.few} />
        </div>
      ))}
    </section>
  );
}

interface UnfoldProps {
  title: ReactNode;
  /** By which tests and styles find it. */
  name?: string;
  children: () => ReactNode;
}

/** Something that is read on demand. */
export function Unfold({ title, name, children }: UnfoldProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      data-unfold={name}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="mt-2 text-[13px]"
    >
      <summary className="min-h-6 w-fit cursor-pointer rounded text-muted-foreground hover:text-foreground">
        {title}
      </summary>
      {open && <div className="mt-1.5 border-l-2 pl-3">{children()}</div>}
    </details>
  );
}
