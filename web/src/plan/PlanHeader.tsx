import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useT } from '@/i18n';
import { DrawerTitle } from '@/ui/drawer';
import { IconButton } from '@/ui/iconButton';
import type { PlanPanelState } from './usePlanPanel';

interface PlanHeaderProps {
  panel: PlanPanelState;
  title: string;
  /** Buttons beside the title. */
  children?: ReactNode;
}

/** The title of the panel and the button that closes it. */
export function PlanHeader({ panel, title, children }: PlanHeaderProps) {
  const t = useT();
  const Title = panel.wide ? 'h2' : DrawerTitle;
  return (
    <div className="flex items-start gap-1 py-2 pr-2 pl-4">
      <Title
        dir="auto"
        title={title}
        className="line-clamp-2 min-w-0 flex-1 self-center text-[15px] leading-snug font-semibold [unicode-bidi:isolate] wrap-anywhere"
      >
        {title}
      </Title>
      {children}
      <IconButton icon={X} label={t('plan.close')} onClick={panel.close} />
    </div>
  );
}
