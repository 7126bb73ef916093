import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useT } from '@/i18n';
import { IconButton } from '@/ui/iconButton';

interface PlanHeaderProps {
  title: ReactNode;
  /** Buttons beside the title. */
  children?: ReactNode;
  /** Whether the button gets the focus, as nothing else can. */
  focused?: boolean;
  onClose: () => void;
}

/** The title of the panel and the button that closes it. */
export function PlanHeader({ title, children, focused = false, onClose }: PlanHeaderProps) {
  const t = useT();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focused) button.current?.focus();
  }, [focused]);
  return (
    <div className="flex items-start gap-1 py-2 pr-2 pl-4">
      <div className="min-w-0 flex-1 self-center">{title}</div>
      {children}
      <IconButton ref={button} icon={X} label={t('plan.close')} onClick={onClose} />
    </div>
  );
}
