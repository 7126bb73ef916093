import { cn } from './cn';
import type { Panel } from './usePanel';

/** The width of a panel beside the debate, and its border. */
export const PANEL_SPACE = {
  issues: 'w-96 shrink-0 border-l bg-sidebar',
  plan: 'w-[clamp(26rem,42vw,56rem)] shrink-0 border-l bg-background',
} as const;

/** Keeps the place of a panel while it is loaded, so that the debate does not move when it comes. */
export function PanelSpace({ panel, name }: { panel: Panel; name: keyof typeof PANEL_SPACE }) {
  return panel.open && panel.wide ? <div aria-hidden className={cn(PANEL_SPACE[name])} /> : null;
}
