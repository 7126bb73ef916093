import type { ComponentProps } from 'react';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { cn } from './cn';
import { Link } from './Link';

interface ArgumentLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  debateId: string;
  seq: number;
  /** Shows it in the debate that is open. */
  onJump?: ((seq: number) => void) | undefined;
}

/** The number of an argument, which leads to it in its debate. */
export function ArgumentLink({ debateId, seq, onJump, className, children, ...props }: ArgumentLinkProps) {
  const t = useT();
  return (
    <Link
      href={debatePath(debateId, seq)}
      aria-label={t('argument.jump', { seq })}
      className={cn(
        'link rounded text-xs text-muted-foreground tabular-nums hover:text-foreground',
        className,
      )}
      {...(onJump && { onNavigate: () => onJump(seq) })}
      {...props}
    >
      {children}#{seq}
    </Link>
  );
}
