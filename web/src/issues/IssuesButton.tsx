import { ListChecks } from 'lucide-react';
import type { IssueCounts } from '@/api/types';
import { useT } from '@/i18n';
import { useShortcuts } from '@/lib/useShortcuts';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { countUnsettled } from './ledger';
import { type IssuesPanelState, PANEL_BUTTON_ID, PANEL_ID } from './useIssuesPanel';

/** Opens and closes the panel. It has the number of issues that are not settled. */
export function IssuesButton({ counts, panel }: { counts: IssueCounts; panel: IssuesPanelState }) {
  const t = useT();
  const unsettled = countUnsettled(counts);
  // With the focus in the panel, the panel itself handles the key and closes.
  useShortcuts({ i: () => panel.show() });
  const label = [
    t('issues.title'),
    t('issues.unsettled', { n: unsettled }),
    ...(counts.blocking > 0 ? [t('issues.blocking.long', { n: counts.blocking })] : []),
  ].join(', ');
  return (
    <Button
      id={PANEL_BUTTON_ID}
      variant="ghost"
      aria-label={label}
      title={label}
      aria-expanded={panel.open}
      aria-controls={panel.open ? PANEL_ID : undefined}
      aria-keyshortcuts="i"
      onClick={() => (panel.open ? panel.close() : panel.show())}
      className={cn('h-9 gap-1.5 px-2 text-[13px] tabular-nums', panel.open && 'bg-accent text-foreground')}
    >
      <ListChecks aria-hidden />
      {unsettled > 0 && unsettled}
      {counts.blocking > 0 && (
        <span className="rounded-full bg-destructive-soft px-2 py-0.5 text-[11px] leading-4 font-semibold text-destructive max-sm:hidden">
          {t('issues.blocking', { n: counts.blocking })}
        </span>
      )}
    </Button>
  );
}
