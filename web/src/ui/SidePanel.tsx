import { X } from 'lucide-react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { leaveSheet } from '@/lib/router';
import { IconButton } from './button';
import { cn } from './cn';
import { Drawer, type DrawerSize, DrawerTitle } from './drawer';
import { PANEL_SPACE } from './PanelButton';
import { TextSkeleton } from './Skeleton';
import type { Panel } from './usePanel';

interface SidePanelProps {
  panel: Panel;
  name: keyof typeof PANEL_SPACE;
  label: string;
  /** The key that opens and closes it. */
  shortcut: string;
  /** As a sheet. */
  size: DrawerSize;
  /** False if the content of the sheet handles Escape itself. */
  closesOnEscape?: boolean;
  children: ReactNode;
}

/** A panel beside the debate, or in a sheet over it if the screen is not wide enough. */
export function SidePanel(props: SidePanelProps) {
  const { panel, name, label, shortcut, size, closesOnEscape = true, children } = props;
  function onKeyDown(event: KeyboardEvent) {
    // If the content of the sheet handles Escape, the dialog has prevented its own default.
    const handled = event.defaultPrevented && (closesOnEscape || event.key !== 'Escape');
    if (handled || event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target instanceof Element && event.target.closest(TEXT_FIELDS) !== null;
    if (inField || (event.key !== shortcut && event.key !== 'Escape')) return;
    event.preventDefault();
    panel.close();
  }
  const aside = (
    <aside
      id={panel.id}
      aria-label={label}
      onKeyDown={onKeyDown}
      className={cn('flex flex-col', panel.wide ? PANEL_SPACE[name] : 'min-h-0 flex-1 bg-background')}
    >
      {children}
    </aside>
  );
  return panel.wide ? (
    aside
  ) : (
    <Drawer size={size} closesOnEscape={closesOnEscape} onClose={panel.close}>
      {aside}
    </Drawer>
  );
}

interface LoadingPanelProps extends Pick<SidePanelProps, 'panel' | 'name' | 'label' | 'shortcut' | 'size'> {
  closeLabel: string;
}

/** A panel while its code is loaded: it keeps its place, and can be closed even if the server is away. */
export function LoadingPanel({ closeLabel, ...panel }: LoadingPanelProps) {
  return (
    <SidePanel {...panel}>
      <PanelHeader panel={panel.panel} title={panel.label} closeLabel={closeLabel} />
      <TextSkeleton />
    </SidePanel>
  );
}

const TEXT_FIELDS = 'input:not([type=radio]), textarea, select';

interface PanelHeaderProps {
  panel: Panel;
  title: string;
  closeLabel: string;
  /** The button that closes the panel. */
  ref?: Ref<HTMLButtonElement>;
  /** Buttons beside the title. */
  children?: ReactNode;
}

export function PanelHeader({ panel, title, closeLabel, ref, children }: PanelHeaderProps) {
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
      <IconButton ref={ref} icon={X} label={closeLabel} onClick={panel.close} />
    </div>
  );
}

/** Leads to an argument, which a sheet would cover. */
export function jumpFrom(panel: Panel, onJump: (seq: number) => void): (seq: number) => void {
  if (panel.wide) return onJump;
  return (seq) => {
    leaveSheet();
    onJump(seq);
  };
}
