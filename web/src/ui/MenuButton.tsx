import type { LucideIcon } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, Suspense, useState } from 'react';
import { IconButton } from './iconButton';

interface MenuButtonProps {
  icon: LucideIcon;
  label: string;
  /** Loads the menu. */
  load: () => Promise<unknown>;
  /** The menu, which opens when it is rendered and has the button from then on. */
  children: ReactNode;
}

/** The button of a menu. The menu is loaded when somebody is about to open it, since most visits need none. */
export function MenuButton({ icon, label, load, children }: MenuButtonProps) {
  const [wanted, setWanted] = useState(false);
  const preload = () => void load().catch(() => undefined);

  async function open() {
    try {
      await load();
      setWanted(true);
    } catch {
      // The server cannot be reached, as the page says elsewhere. The next click tries again.
    }
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    void open();
  }
  const button = (
    <IconButton
      icon={icon}
      label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onKeyDown={onKeyDown}
      onClick={() => void open()}
    />
  );
  return wanted ? <Suspense fallback={button}>{children}</Suspense> : button;
}
