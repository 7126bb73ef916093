import { FileText } from 'lucide-react';
import { useT } from '@/i18n';
import { useShortcuts } from '@/lib/useShortcuts';
import { Button } from '@/ui/button';
import { cn } from '@/ui/cn';
import { PLAN_BUTTON_ID, PLAN_PANEL_ID, type PlanPanelState } from './usePlanPanel';

/** Opens and closes the panel with the plan. It has the newest version that the loaded arguments cite. */
export function PlanButton({ version, panel }: { version: number | null; panel: PlanPanelState }) {
  const t = useT();
  // With the focus in the panel, the panel itself handles the key and closes.
  useShortcuts({ p: () => panel.show() });
  const label = version === null ? t('plan.title') : t('plan.title.version', { n: version });
  return (
    <Button
      id={PLAN_BUTTON_ID}
      variant="ghost"
      aria-label={label}
      title={label}
      aria-expanded={panel.open}
      aria-controls={panel.open ? PLAN_PANEL_ID : undefined}
      aria-keyshortcuts="p"
      onClick={() => (panel.open ? panel.close() : panel.show())}
      className={cn('h-9 gap-1.5 px-2 text-[13px] tabular-nums', panel.open && 'bg-accent text-foreground')}
    >
      <FileText aria-hidden />
      {version !== null && <span className="max-sm:hidden">v{version}</span>}
    </Button>
  );
}
