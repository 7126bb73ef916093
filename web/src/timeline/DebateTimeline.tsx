import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '@/api/client';
import { ROLES, type Role } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { useNow } from '@/lib/useNow';
import { cn } from '@/ui/cn';
import { Link } from '@/ui/Link';
import { roleStyle, typeIcon } from '@/ui/roleStyles';
import { decisive, type Entry, type Gap, gapsOf, joined, waitedFor } from './waitingTimes';

const BARS: Record<Role, string> = {
  proposer: 'bg-proposer/70',
  opponent: 'bg-opponent/70',
  arbitrator: 'bg-arbitrator/70',
};
const MOST_SEGMENTS = 60;
/** The newest ones; the others are in the thread. */
const MOST_JUMPS = 24;
const CLOCK_MS = 15_000;

interface DebateGlanceProps extends Loaded {
  closed: boolean;
  onJump: (seq: number) => void;
}

/** The whole debate in a few lines: for whom it waited how long, and ways to what was asked and decided. */
export default function DebateTimeline({ closed, onJump, ...loaded }: DebateGlanceProps) {
  const t = useT();
  const entries = useAllEntries(loaded);
  const now = useNow(CLOCK_MS);
  const gaps = useMemo(() => (entries === null ? [] : gapsOf(entries, closed, now)), [entries, closed, now]);
  if (entries === null || gaps.length === 0) return null;
  const waited = waitedFor(gaps);
  const current = gaps.find(({ to }) => to === null);
  return (
    <section aria-label={t('timeline.label')} className="border-b px-4 pb-3">
      <h3 className="text-xs font-semibold text-muted-foreground">{t('timeline.waited')}</h3>
      <Strip gaps={joined(gaps, MOST_SEGMENTS)} />
      <dl className="mt-2 grid gap-1 text-xs">
        {ROLES.map((role) => (
          <div key={role} className="flex items-center gap-2" data-waited={role}>
            <span aria-hidden className={cn('size-2 shrink-0 rounded-xs', BARS[role])} />
            <dt>{t.label('role', role)}</dt>
            <dd className="ml-auto text-muted-foreground tabular-nums">
              {t.duration(waited[role])}
              {current?.role === role && ` · ${t('timeline.now', { time: t.duration(current.ms) })}`}
            </dd>
          </div>
        ))}
      </dl>
      <Jumps entries={decisive(entries)} debateId={loaded.debateId} onJump={onJump} />
    </section>
  );
}

/** A segment for each gap. Lengths are square roots, so that short ones are still seen. */
function Strip({ gaps }: { gaps: readonly Gap[] }) {
  const t = useT();
  return (
    <div aria-hidden className="mt-1.5 flex h-2.5 gap-px overflow-hidden rounded-full bg-accent">
      {gaps.map(({ from, to, role, ms }) => (
        <span
          key={from}
          title={t(to === null ? 'timeline.since' : 'timeline.gap', {
            role: t.label('role', role),
            time: t.duration(ms),
            from,
            to: to ?? from,
          })}
          style={{ flexGrow: Math.sqrt(ms) + 1 }}
          className={BARS[role]}
        />
      ))}
    </div>
  );
}

interface JumpsProps {
  entries: readonly Entry[];
  debateId: string;
  onJump: (seq: number) => void;
}

function Jumps({ entries, debateId, onJump }: JumpsProps) {
  const t = useT();
  if (entries.length === 0) return null;
  const shown = entries.slice(-MOST_JUMPS);
  return (
    <>
      <h3 className="mt-3 text-xs font-semibold text-muted-foreground">{t('timeline.decisive')}</h3>
      <ol className="mt-1.5 flex flex-wrap gap-1">
        {shown.map(({ seq, type, role, created_at }) => {
          const Icon = typeIcon(type);
          const label = t.label('argument', type);
          return (
            <li key={seq}>
              <Link
                href={debatePath(debateId, seq)}
                onNavigate={() => onJump(seq)}
                title={`${label} · ${t.dateTime(created_at)}`}
                aria-label={`${label} #${seq}`}
                data-jump={seq}
                className={cn(
                  'flex items-center gap-1 rounded-full border bg-background px-2 py-0.5 text-[11px] leading-4 font-semibold tabular-nums hover:bg-accent',
                  roleStyle(role).text,
                )}
              >
                <Icon aria-hidden className="size-3" />#{seq}
              </Link>
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** What the page has loaded of a debate. */
export interface Loaded {
  debateId: string;
  lastSeq: number;
  items: readonly Entry[];
  /** Whether all arguments are loaded. */
  complete: boolean;
}

/** All arguments of a debate without their texts, which the record has if not all are loaded; null until they are there. */
export function useAllEntries({ debateId, lastSeq, items, complete }: Loaded): readonly Entry[] | null {
  const { data } = useQuery({
    queryKey: ['entries', debateId, lastSeq],
    queryFn: async ({ signal }) => (await api.record(debateId, signal)).record.arguments,
    enabled: !complete,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  return complete ? items : (data ?? null);
}
