import type { ComponentProps } from 'react';
import { cn } from './cn';

const TONES = {
  proposer: 'bg-proposer-soft text-proposer',
  opponent: 'bg-opponent-soft text-opponent',
  arbitrator: 'bg-arbitrator-soft text-arbitrator',
  warning: 'bg-warning-soft text-warning',
  destructive: 'bg-destructive-soft text-destructive',
  success: 'bg-success-soft text-success',
  quiet: 'bg-accent text-muted-foreground',
};

export type Tone = keyof typeof TONES;

const BADGE =
  'inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-[11px] leading-4 font-semibold tracking-wide whitespace-nowrap [&_svg]:size-3';

export function Badge({ className, tone = 'quiet', ...props }: ComponentProps<'span'> & { tone?: Tone }) {
  return <span className={cn(BADGE, TONES[tone], className)} {...props} />;
}
