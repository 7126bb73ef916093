import { ROLES, type Role } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { useRecord } from '@/record/useRecord';
import { cn } from '@/ui/cn';
import { Link } from '@/ui/Link';
import { roleStyle, typeIcon } from '@/ui/roleStyles';
import { type AgentFigures, figuresOf, nameOf } from './agentFigures';

const BARS: Record<Role, string> = {
  proposer: 'bg-proposer/70',
  opponent: 'bg-opponent/70',
  arbitrator: 'bg-arbitrator/70',
};
/** The newest ones; the others are in the thread. */
const MOST_JUMPS = 24;
/** What was asked and decided. */
const DECISIVE = new Set(['APPEAL', 'RESOLUTION', 'INTERVENTION', 'RULING']);

interface DebateTimelineProps {
  debateId: string;
  lastSeq: number;
  onJump: (seq: number) => void;
}

/** The figures of the record: for whom the debate waited, what its agents used, and ways to what was asked and decided. */
export function DebateTimeline({ debateId, lastSeq, onJump }: DebateTimelineProps) {
  const t = useT();
  const record = useRecord(debateId, lastSeq).data?.record;
  if (record === undefined) return null;
  const { by_role } = record.statistics;
  const decisive = record.arguments.filter(({ type }) => DECISIVE.has(type)).slice(-MOST_JUMPS);
  return (
    <section aria-label={t('timeline.label')} className="grid gap-3 px-4 pb-3">
      <div>
        <h3 className={HEADING}>{t('timeline.waited')}</h3>
        <div aria-hidden className="mt-1.5 flex h-2 gap-px overflow-hidden rounded-full bg-accent">
          {ROLES.map((role) => (
            <span key={role} style={{ flexGrow: by_role[role].seconds }} className={BARS[role]} />
          ))}
        </div>
        <dl className="mt-2 grid gap-1.5 text-xs">
          {ROLES.map((role) => (
            <div key={role} className="flex flex-wrap items-center gap-x-2" data-waited={role}>
              <span aria-hidden className={cn('size-2 shrink-0 rounded-xs', BARS[role])} />
              <dt>{t.label('role', role)}</dt>
              <dd className="ml-auto text-muted-foreground tabular-nums">
                {t.duration(by_role[role].seconds * 1000)}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {record.agents.length > 0 && (
        <div>
          <h3 className={HEADING}>{t('agents.title')}</h3>
          <ul className="mt-1.5 grid gap-1.5 text-xs">
            {record.agents.map((row) => (
              <AgentRow
                key={[row.role, row.program, row.model, row.purpose].join(' ')}
                name={`${nameOf(t, row)} ×${row.starts}`}
                role={row.role}
                figures={row}
              />
            ))}
            {ROLES.map((role) => {
              const { agent_seconds: seconds, ...sums } = by_role[role];
              const rows = record.agents.filter((row) => row.role === role);
              return (
                rows.length > 1 && (
                  <AgentRow
                    key={role}
                    name={t('agents.all', { role: t.label('role', role) })}
                    role={role}
                    figures={{ ...sums, seconds }}
                  />
                )
              );
            })}
          </ul>
        </div>
      )}
      {decisive.length > 0 && (
        <div>
          <h3 className={HEADING}>{t('timeline.decisive')}</h3>
          <ol className="mt-1.5 flex flex-wrap gap-1">
            {decisive.map(({ seq, type, role, created_at }) => {
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
        </div>
      )}
    </section>
  );
}

const HEADING = 'text-xs font-semibold text-muted-foreground';

function AgentRow({ name, role, figures }: { name: string; role: string; figures: AgentFigures }) {
  const t = useT();
  const { icon: Icon, text } = roleStyle(role);
  return (
    <li data-agent={role}>
      <p className="flex items-center gap-1.5 font-medium wrap-anywhere">
        <Icon aria-hidden className={cn('size-3.5 shrink-0', text)} />
        <span className="sr-only">{t.label('role', role)}: </span>
        {name}
      </p>
      <p className="pl-5 text-muted-foreground tabular-nums">{figuresOf(t, figures)}</p>
    </li>
  );
}
