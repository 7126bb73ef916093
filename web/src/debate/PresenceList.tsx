import type { Debate, Side } from '@/api/types';
import { type Translate, useT } from '@/i18n';
import { cn } from '@/ui/cn';
import { roleStyle } from '@/ui/roleStyles';
import type { Waiting } from '@/websocket/messages';
import { type Presence, presenceOf } from './presence';

const SIDES: readonly Side[] = ['proposer', 'opponent'];

export function PresenceList({ debate, waiting }: { debate: Debate; waiting: readonly Waiting[] | null }) {
  const t = useT();
  if (waiting === null || debate.state === 'CLOSED') return null;
  return (
    <ul aria-label={t('presence.label')} className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
      {SIDES.map((side) => {
        const presence = presenceOf(side, debate, waiting);
        const { icon: Icon, text } = roleStyle(side);
        return (
          <li key={side} title={longText(t, side, presence)} className="flex items-center gap-1.5 text-xs">
            <span className="relative">
              <Icon
                aria-hidden
                className={cn('size-4', presence.kind === 'away' ? 'text-muted-foreground' : text)}
              />
              {presence.kind !== 'away' && (
                <span
                  aria-hidden
                  className={cn(
                    'absolute -right-0.5 -bottom-0.5 size-1.5 rounded-full ring-2 ring-background',
                    presence.kind === 'waiting' ? 'bg-success' : 'motion-safe:animate-pulse bg-opponent',
                  )}
                />
              )}
            </span>
            <span aria-hidden className="text-muted-foreground tabular-nums">
              <span className="max-xl:hidden">{t.label('role', side)} </span>
              {shortText(t, presence)}
            </span>
            <span className="sr-only">{longText(t, side, presence)}</span>
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
    case 'composing':
      return t('presence.composing.short', { time: t.time(presence.since) });
    case 'away':
      return t('presence.away.short');
  }
}

function longText(t: Translate, side: Side, presence: Presence): string {
  const role = t.label('role', side);
  switch (presence.kind) {
    case 'waiting':
      return t('presence.waiting', { role, time: t.time(presence.since) });
    case 'composing':
      return t('presence.composing', { role, time: t.time(presence.since) });
    case 'away':
      return t('presence.away', { role });
  }
}
