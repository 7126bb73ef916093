import { X } from 'lucide-react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { useT } from '@/i18n';
import { leaveSheet } from '@/lib/router';
import { IconButton } from './button';
import { cn } from './cn';
import { Drawer, type DrawerSize, DrawerTitle } from './drawer';
import { TextSkeleton } from './Skeleton';
import { PANEL_KEYS, type Panel, type PanelId } from './usePanel';

/** Their width as a sheet, and beside the debate with their border. */
const SIZES: Record<PanelId, readonly [DrawerSize, string]> = {
  issues: ['narrow', 'w-96 shrink-0 border-l bg-sidebar'],
  plan: ['half', 'w-[clamp(26rem,42vw,56rem)] shrink-0 border-l bg-background'],
};

interface SidePanelProps {
  panel: Panel;
  /** False if the content of the sheet handles Escape itself. */
  closesOnEscape?: boolean;
  children: ReactNode;
}

/** A panel beside the debate, or in a sheet over it if the screen is not wide enough. */
export function SidePanel({ panel, closesOnEscape = true, children }: SidePanelProps) {
  const t = useT();
  const [size, beside] = SIZES[panel.id];
  function onKeyDown(event: KeyboardEvent) {
    // If the content of the sheet handles Escape, the dialog has prevented its own default.
    const handled = event.defaultPrevented && (closesOnEscape || event.key !== 'Escape');
    if (handled || event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target instanceof Element && event.target.closest(TEXT_FIELDS) !== null;
    if (inField || (event.key !== PANEL_KEYS[panel.id] && event.key !== 'Escape')) return;
    event.preventDefault();
    panel.close();
  }
  const aside = (
    <aside
      id={panel.id}
      aria-label={t(`${panel.id}.title`)}
      onKeyDown={onKeyDown}
      className={cn(
        'flex flex-col low:overflow-y-auto',
        panel.wide ? beside : 'min-h-0 flex-1 bg-background',
      )}
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

/** A panel while its code is loaded: it keeps its place, and can be closed even if the server is away. */
export function LoadingPanel({ panel }: { panel: Panel }) {
  if (!panel.open) return null;
  return (
    <SidePanel panel={panel}>
      <PanelHeader panel={panel} />
      <TextSkeleton />
    </SidePanel>
  );
}

const TEXT_FIELDS = 'input:not([type=radio]), textarea, select';

interface PanelHeaderProps {
  panel: Panel;
  /** What it shows, if that has a title of its own. */
  title?: string | undefined;
  /** The button that closes the panel. */
  ref?: Ref<HTMLButtonElement>;
  /** Buttons beside the title. */
  children?: ReactNode;
}

export function PanelHeader({ panel, title: shown, ref, children }: PanelHeaderProps) {
  const t = useT();
  const title = shown ?? t(`${panel.id}.title`);
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
      <IconButton ref={ref} icon={X} label={t(`${panel.id}.close`)} onClick={panel.close} />
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
