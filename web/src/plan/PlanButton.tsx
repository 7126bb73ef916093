import { FileText } from 'lucide-react';
import { useT } from '@/i18n';
import { PanelButton } from '@/ui/PanelButton';
import type { PlanPanelState } from './usePlanPanel';

/** Opens and closes the panel with the plan. It has the newest version that the loaded arguments cite. */
export function PlanButton({ version, panel }: { version: number | null; panel: PlanPanelState }) {
  const t = useT();
  const label = version === null ? t('plan.title') : t('plan.title.version', { n: version });
  return (
    <PanelButton panel={panel} shortcut="p" icon={FileText} label={label}>
      {version !== null && <span className="max-sm:hidden">v{version}</span>}
    </PanelButton>
  );
}
