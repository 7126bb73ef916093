import { ListChecks } from 'lucide-react';
import type { IssueCounts } from '@/api/types';
import { useT } from '@/i18n';
import { PanelButton } from '@/ui/PanelButton';
import { countUnsettled } from './ledger';
import type { IssuesPanelState } from './useIssuesPanel';

/** Opens and closes the panel. It has the number of issues that are not settled. */
export function IssuesButton({ counts, panel }: { counts: IssueCounts; panel: IssuesPanelState }) {
  const t = useT();
  const unsettled = countUnsettled(counts);
  const label = [
    t('issues.title'),
    t('issues.unsettled', { n: unsettled }),
    ...(counts.blocking > 0 ? [t('issues.blocking.long', { n: counts.blocking })] : []),
  ].join(', ');
  return (
    <PanelButton panel={panel} shortcut="i" icon={ListChecks} label={label}>
      {unsettled > 0 && unsettled}
      {counts.blocking > 0 && (
        <span className="rounded-full bg-destructive-soft px-2 py-0.5 text-[11px] leading-4 font-semibold text-destructive max-sm:hidden">
          {t('issues.blocking', { n: counts.blocking })}
        </span>
      )}
    </PanelButton>
  );
}
