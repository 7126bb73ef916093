import { ArrowRight } from 'lucide-react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { InlineText } from '@/ui/InlineText';
import { Link } from '@/ui/Link';

interface NextRulingProps {
  /** The debate that has waited longest, of those that still wait; undefined if none does. */
  next: Debate | undefined;
  /** How many wait besides. */
  more: number;
}

/** After a ruling on a debate's own page: what waits next, to which `n` leads as well. */
export function NextRuling({ next, more }: NextRulingProps) {
  const t = useT();
  if (next === undefined)
    // No status, as the link is none: it would be told over what comes of the ruling, and stands below the button with the focus.
    return <p className="px-3.5 py-1.5 text-muted-foreground">{t('unsent.next.none')}</p>;
  return (
    <Link
      href={debatePath(next.id)}
      title="n"
      className="flex items-center gap-2 rounded-lg px-3.5 py-1.5 hover:bg-accent max-sm:min-h-11"
    >
      <ArrowRight aria-hidden className="size-4 shrink-0 text-arbitrator" />
      <span className="shrink-0 text-muted-foreground">{t('unsent.next')}</span>
      <span dir="auto" className="min-w-0 truncate font-medium">
        <InlineText text={next.title} />
      </span>
      {more > 0 && (
        <span className="shrink-0 text-muted-foreground">{t('unsent.next.more', { n: more })}</span>
      )}
    </Link>
  );
}
