import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import { stateTone } from '@/ui/roleStyles';

const DOTS = {
  proposer: 'bg-proposer',
  opponent: 'bg-opponent',
  arbitrator: 'bg-arbitrator',
  quiet: 'border border-muted-foreground',
};

interface StateWordsProps {
  state: string;
  /** What a ruling is asked on, where that is known. */
  asks?: NonNullable<Debate['ruling_request']>['on'] | undefined;
}

/** Whose turn it is in a debate, or that it is closed. */
export function StateWords({ state, asks }: StateWordsProps) {
  const t = useT();
  const tone = stateTone(state);
  return (
    <>
      <span aria-hidden className={cn('size-1.5 shrink-0 rounded-full', DOTS[tone])} />
      <span className={cn('truncate', tone === 'arbitrator' && 'font-medium text-arbitrator')}>
        {asks === undefined ? t.label('state', state) : t.label('asks', asks)}
      </span>
    </>
  );
}
