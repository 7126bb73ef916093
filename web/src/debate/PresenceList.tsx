import { BellOff } from 'lucide-react';
import type { Side } from '@/api/types';
import { useT } from '@/i18n';
import { programOf } from '@/timeline/agentFigures';
import { cn } from '@/ui/cn';
import { roleStyle } from '@/ui/roleStyles';
import { type DebateView, isOver } from './debateView';
import { presenceOf } from './presence';

const SIDES: readonly Side[] = ['proposer', 'opponent'];

/** What each side does now: its program, as far as what is loaded tells it, and whether it waits, since when. */
export function PresenceList({ view }: { view: DebateView }) {
  const { debate, turns, items, presence: told } = view;
  const t = useT();
  if (told === null || isOver(view)) return null;
  return (
    <ul aria-label={t('presence.label')} className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
      {SIDES.map((side) => {
        const presence = presenceOf(side, turns, debate.updated_at, told);
        const { kind } = presence;
        const values = {
          role: t.label('role', side),
          ...(presence.kind !== 'absent' && { time: t.time(presence.since) }),
        };
        const long = t(`presence.${kind}`, values);
        const program = programOf(side, items);
        const { icon: Icon, text } = roleStyle(side);
        return (
          <li key={side} title={long} className="flex items-center gap-1.5 text-xs">
            <span className="relative">
              <Icon
                aria-hidden
                className={cn('size-4', kind === 'absent' ? 'text-muted-foreground' : text)}
              />
              {(kind === 'waiting' || kind === 'turn') && (
                <span
                  aria-hidden
                  className={cn(
                    'absolute -right-0.5 -bottom-0.5 size-1.5 rounded-full ring-2 ring-background',
                    kind === 'waiting' ? 'bg-success' : 'bg-opponent',
                  )}
                />
              )}
            </span>
            {kind === 'silent' && <BellOff aria-hidden className="size-3.5 text-destructive" />}
            <span
              aria-hidden
              className={cn(
                'tabular-nums',
                kind === 'silent' ? 'font-medium text-destructive' : 'text-muted-foreground',
              )}
            >
              <span className="max-xl:hidden">{t.label('role', side)} </span>
              {program !== null && <span className="font-medium text-foreground">{program} </span>}
              {t(`presence.${kind}.short`, values)}
            </span>
            <span className="sr-only">
              {long}
              {program !== null && `, ${program}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
