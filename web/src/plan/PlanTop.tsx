import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useT } from '@/i18n';
import { IconButton } from '@/ui/iconButton';

interface PlanTopProps {
  title: ReactNode;
  /** Buttons beside the title. */
  children?: ReactNode;
  /** Whether the button gets the focus, as nothing else can. */
  focused?: boolean;
  onClose: () => void;
}

/** The title of the panel and the button that closes it. */
export function PlanTop({ title, children, focused = false, onClose }: PlanTopProps) {
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
