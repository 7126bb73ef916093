import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useShortcuts } from '@/lib/useShortcuts';
import { Button } from './button';
import { cn } from './cn';
import { type Panel, panelButtonId } from './usePanel';

interface PanelButtonProps {
  panel: Panel;
  /** The key that opens the panel. */
  shortcut: string;
  icon: LucideIcon;
  /** Shown beside the icon where there is room. */
  name: string;
  label: string;
  /** Whether there is nothing to show. */
  disabled?: boolean;
  /** What is shown besides. */
  children: ReactNode;
}

/** Opens and closes a panel. */
export function PanelButton(props: PanelButtonProps) {
  const { panel, shortcut, icon: Icon, name, label, disabled = false, children } = props;
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
      <span className="max-lg:hidden">{name}</span>
      {children}
    </Button>
  );
}

/** The width of a panel beside the debate, and its border. */
export const PANEL_SPACE = {
  issues: 'w-96 shrink-0 border-l bg-sidebar',
  plan: 'w-[clamp(26rem,42vw,56rem)] shrink-0 border-l bg-background',
} as const;
