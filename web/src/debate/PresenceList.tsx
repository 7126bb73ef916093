import { BellOff } from 'lucide-react';
import type { Argument, Debate, Side } from '@/api/types';
import { type Translate, useT } from '@/i18n';
import { programOf } from '@/timeline/agentFigures';
import { cn } from '@/ui/cn';
import { roleStyle } from '@/ui/roleStyles';
import { type Presence, type PresenceTold, presenceOf } from './presence';

const SIDES: readonly Side[] = ['proposer', 'opponent'];

interface PresenceListProps {
  debate: Debate;
  told: PresenceTold | null;
  /** What is loaded of the debate: it tells which program a side is. */
  items: readonly Argument[];
}

export function PresenceList({ debate, told, items }: PresenceListProps) {
  const t = useT();
  if (told === null || debate.state === 'CLOSED') return null;
  return (
    <ul aria-label={t('presence.label')} className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
      {SIDES.map((side) => {
        const presence = presenceOf(side, debate, told);
        const program = programOf(side, items);
        const { icon: Icon, text } = roleStyle(side);
        return (
          <li key={side} title={longText(t, side, presence)} className="flex items-center gap-1.5 text-xs">
            <span className="relative">
              <Icon
                aria-hidden
                className={cn('size-4', presence.kind === 'absent' ? 'text-muted-foreground' : text)}
              />
              {(presence.kind === 'waiting' || presence.kind === 'turn') && (
                <span
                  aria-hidden
                  className={cn(
                    'absolute -right-0.5 -bottom-0.5 size-1.5 rounded-full ring-2 ring-background',
                    presence.kind === 'waiting' ? 'bg-success' : 'bg-opponent',
                  )}
                />
              )}
            </span>
            {presence.kind === 'silent' && <BellOff aria-hidden className="size-3.5 text-destructive" />}
            <span
              aria-hidden
              className={cn(
                'tabular-nums',
                presence.kind === 'silent' ? 'font-medium text-destructive' : 'text-muted-foreground',
              )}
            >
              <span className="max-xl:hidden">{t.label('role', side)} </span>
              {program !== null && <span className="font-medium text-foreground">{program} </span>}
              {shortText(t, presence)}
            </span>
            <span className="sr-only">
              {longText(t, side, presence)}
              {program !== null && `, ${program}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function shortText(t: Translate, presence: Presence): string {
  switch (presence.kind) {
    case 'waiting':
      return t('presence.waiting.short', { time: t.time(presence.since) });
    case 'turn':
      return t('presence.turn.short', { time: t.time(presence.since) });
    case 'silent':
      return t('presence.silent.short', { time: t.time(presence.since) });
    case 'absent':
      return t('presence.absent.short');
  }
}

function longText(t: Translate, side: Side, presence: Presence): string {
  const role = t.label('role', side);
  switch (presence.kind) {
    case 'waiting':
      return t('presence.waiting', { role, time: t.time(presence.since) });
    case 'turn':
      return t('presence.turn', { role, time: t.time(presence.since) });
    case 'silent':
      return t('presence.silent', { role, time: t.time(presence.since) });
    case 'absent':
      return t('presence.absent', { role });
  }
}
