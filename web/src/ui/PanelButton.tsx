import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useT } from '@/i18n';
import { useShortcuts } from '@/lib/useShortcuts';
import { Button } from './button';
import { cn } from './cn';
import { PANEL_KEYS, type Panel, panelButtonId } from './usePanel';

interface PanelButtonProps {
  panel: Panel;
  icon: LucideIcon;
  label: string;
  /** Whether there is nothing to show. */
  disabled?: boolean;
  /** What is shown besides. */
  children: ReactNode;
}

/** Opens and closes a panel. */
export function PanelButton(props: PanelButtonProps) {
  const { panel, icon: Icon, label, disabled = false, children } = props;
  const t = useT();
  const shortcut = PANEL_KEYS[panel.id];
  // With the focus in the panel, the panel itself handles the key and closes.
  useShortcuts({ [shortcut]: () => !disabled && panel.show() });
  return (
    <Button
      id={panelButtonId(panel.id)}
      variant="ghost"
      size="sm"
      aria-label={label}
      disabled={disabled}
      title={label}
      aria-expanded={panel.open}
      aria-controls={panel.open ? panel.id : undefined}
      aria-keyshortcuts={shortcut}
      onClick={() => (panel.open ? panel.close() : panel.show())}
      className={cn('h-9! gap-1.5! px-2! tabular-nums', panel.open && 'bg-accent text-foreground!')}
    >
      <Icon aria-hidden />
      <span className="max-lg:hidden">{t(`${panel.id}.title`)}</span>
      {children}
    </Button>
  );
}
