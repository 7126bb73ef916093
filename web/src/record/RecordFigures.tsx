import type { DebateRecord } from '@/api/types';
import { useT } from '@/i18n';
import { byteLabel } from '@/ui/byteSize';
import { duration } from './duration';

const ROLES = ['proposer', 'opponent', 'arbitrator'] as const;

/** How long the debate was, and who wrote how much. */
export function RecordFigures({ statistics }: { statistics: DebateRecord['statistics'] }) {
  const t = useT();
  const { issues, by_role } = statistics;
  const figures: [string, string | number][] = [
    [t('record.figures.arguments'), statistics.arguments],
    [t('record.figures.rounds'), statistics.rounds],
    [t('record.figures.time'), duration(statistics.seconds)],
    [t('record.figures.appeals'), statistics.appeals],
    [t('record.figures.interventions'), statistics.interventions],
    [t('record.figures.raised'), issues.raised],
    [t('status.resolved'), issues.resolved],
    [t('status.withdrawn'), issues.withdrawn],
    [t('status.dismissed'), issues.dismissed],
    [t('record.figures.left'), issues.left_open],
  ];
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-5">
        {figures.map(([name, value]) => (
          <div key={name} className="flex flex-col-reverse">
            <dt className="text-xs text-muted-foreground">{name}</dt>
            <dd className="text-lg leading-tight font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <table className="mt-5 w-full border-collapse text-left text-sm tabular-nums">
        <thead className="text-xs text-muted-foreground">
          <tr className="border-b">
            <td />
            <th scope="col" className="py-1.5 pr-4 font-medium">
              {t('record.figures.arguments')}
            </th>
            <th scope="col" className="py-1.5 pr-4 font-medium">
              {t('record.figures.text')}
            </th>
            <th scope="col" className="py-1.5 font-medium">
              {t('record.figures.waited')}
            </th>
          </tr>
        </thead>
        <tbody>
          {ROLES.map((role) => (
            <tr key={role} className="border-b">
              <th scope="row" className="py-1.5 pr-4 font-medium">
                {t.label('role', role)}
              </th>
              <td className="py-1.5 pr-4">{by_role[role].arguments}</td>
              <td className="py-1.5 pr-4">{byteLabel(by_role[role].bytes)}</td>
              <td className="py-1.5">{duration(by_role[role].seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
