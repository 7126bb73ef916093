import { ROLES, type Role } from '@/api/types';
import { useT } from '@/i18n';
import { useRecord } from '@/record/useRecord';
import { cn } from '@/ui/cn';
import { roleStyle } from '@/ui/roleStyles';
import { type AgentFigures, figuresOf, nameOf } from './agentFigures';

const BARS: Record<Role, string> = {
  proposer: 'bg-proposer/70',
  opponent: 'bg-opponent/70',
  arbitrator: 'bg-arbitrator/70',
};

interface DebateTimelineProps {
  debateId: string;
  lastSeq: number;
}

/** The figures of the record: for whom the debate waited, and what its agents used. */
export function DebateTimeline({ debateId, lastSeq }: DebateTimelineProps) {
  const t = useT();
  const record = useRecord(debateId, lastSeq).data?.record;
  if (record === undefined) return null;
  const { by_role } = record.statistics;
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
