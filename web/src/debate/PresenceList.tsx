import { Unplug } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Debate, SIDES, type Side, type Turn } from '@/api/types';
import { useT } from '@/i18n';
import { useNow } from '@/lib/useNow';
import { programsIn } from '@/timeline/agentFigures';
import { cn } from '@/ui/cn';
import { lazyComponent } from '@/ui/lazyComponent';
import { roleStyle } from '@/ui/roleStyles';
import { NOBODY, type Presence } from '@/websocket/messages';
import { type DebateView, isOver } from './debateView';
import { missingSides } from './missingSides';
import { rulingsIn } from './ruling/rulingRequest';

const SideMenu = lazyComponent(
  () => import('./SideMenu'),
  ({ trigger }) => trigger,
);

const CLOCK_MS = 15_000;
const DOT = 'absolute -right-0.5 -bottom-0.5 size-1.5 rounded-full ring-2 ring-background';
const DOTS = {
  missing: '',
  waiting: `${DOT} bg-success`,
  turn: `${DOT} bg-warning`,
  silent: '',
  absent: '',
};

interface PresenceListProps {
  view: DebateView;
  onSeats: (debate: Debate) => void;
}

/** What each side does now: its program, as far as what is loaded tells it, and whether it waits, since when. */
export function PresenceList({ view, onSeats }: PresenceListProps) {
  const { debate, turns, items, presence } = view;
  const t = useT();
  const now = useNow(CLOCK_MS);
  if (isOver(view)) return null;
  // Until it is told, the list takes its place unseen; on a phone the state has that place.
  const told = presence ?? NOBODY;
  const missing = missingSides(view, told.waiting);
  const programs = programsIn(items);
  return (
    <ul
      aria-label={t('presence.label')}
      className={cn(
        'flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1',
        presence === null && 'invisible max-sm:hidden',
      )}
    >
      {SIDES.map((side) => {
        const present = presenceOf(side, turns, debate.updated_at, told);
        const since = present.since;
        // An opponent that has neither written nor taken its seat has never been there.
        const absent = side === 'opponent' && missing.includes(side);
        const kind = present.kind === 'turn' && absent ? 'missing' : present.kind;
        // While a ruling is due, a side that does not wait is nothing to know.
        if (kind === 'absent' && debate.ruling_request !== null) return null;
        const values = { role: t.label('role', side), time: t.duration(now - Date.parse(since)) };
        const long = t(`presence.${kind}`, values);
        const program = programs[side];
        // Freed for another agent: where seats are taken at all, that of the other side still is.
        const isFree =
          kind !== 'missing' &&
          kind !== 'waiting' &&
          !debate.seats[side] &&
          SIDES.some((other) => debate.seats[other]);
        const free = isFree ? `, ${t('presence.seatFree')}` : '';
        const { icon: Icon, text } = roleStyle(side);
        const words = (
          <>
            <span aria-hidden className={cn('tabular-nums', kind !== 'silent' && 'text-muted-foreground')}>
              <span>{t.label('role', side)} </span>
              {/* On a narrow page there is room for one of both. */}
              {program !== null && (
                <span className="font-medium text-foreground max-xl:hidden">{program} </span>
              )}
              <span className="whitespace-nowrap">
                {t(`presence.${kind}.short`, values)}
                {free}
              </span>
            </span>
            <span className="sr-only">
              {long}
              {free}
              {program !== null && `, ${program}`}
            </span>
          </>
        );
        return (
          <li
            key={side}
            title={`${long} (${t.dateTime(since)})`}
            className="flex max-w-full items-center gap-1.5 text-xs"
          >
            <span className="relative">
              <Icon
                aria-hidden
                className={cn(
                  'size-4',
                  kind === 'absent' || kind === 'missing' ? 'text-muted-foreground' : text,
                )}
              />
              <span aria-hidden className={DOTS[kind]} />
            </span>
            <SideButton
              debate={debate}
              side={side}
              silent={kind === 'silent'}
              programs={programs}
              onSeats={onSeats}
            >
              {words}
            </SideButton>
          </li>
        );
      })}
    </ul>
  );
}

interface SideButtonProps {
  debate: Debate;
  side: Side;
  silent: boolean;
  programs: Readonly<Record<Side, string | null>>;
  onSeats: (debate: Debate) => void;
  children: ReactNode;
}

/** The words about a side open what may be done. They stand out where it is silent. */
function SideButton({ children, ...menu }: SideButtonProps) {
  const { side, silent } = menu;
  const [opened, setOpened] = useState(false);
  const trigger = (
    <button
      type="button"
      aria-haspopup="menu"
      data-silent={silent ? side : undefined}
      className={cn(
        'relative flex min-h-6 items-center gap-1.5 rounded-lg after:absolute after:inset-x-0 after:-inset-y-2.5 sm:after:hidden',
        silent
          ? 'border border-destructive/40 px-2 font-medium text-destructive hover:bg-destructive-soft'
          : '-mx-1 px-1 hover:bg-accent max-sm:min-h-5',
      )}
      onClick={() => setOpened(true)}
    >
      {silent && <Unplug aria-hidden className="size-3.5" />}
      {children}
    </button>
  );
  return opened ? <SideMenu {...menu} trigger={trigger} /> : trigger;
}

/** Nobody knows whether a side whose turn it is writes: it is shown that it has the turn, until the server says that it is silent. */
export function presenceOf(
  side: Side,
  turns: readonly Turn[],
  updatedAt: string,
  { waiting, silent }: Presence,
): { kind: keyof typeof DOTS; since: string } {
  const wait = waiting.find(({ role }) => role === side);
  const silence = silent.find(({ role }) => role === side);
  if (wait !== undefined) return { kind: 'waiting', since: wait.since };
  if (silence !== undefined) return { kind: 'silent', since: silence.since };
  // While a ruling is due, what may still be delivered is nobody's turn.
  const hasTurn =
    rulingsIn(turns).length === 0 && turns.some(({ role, moves }) => role === side && moves.length > 0);
  return { kind: hasTurn ? 'turn' : 'absent', since: updatedAt };
}
