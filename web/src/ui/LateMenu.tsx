import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useT } from '@/i18n';
import type { MessageKey } from '@/i18n/en';
import { IconButton } from './button';

interface MenuButtonProps {
  icon: LucideIcon;
  label: MessageKey;
  onClick?: () => void;
}

/** The button of a menu while the menu is not loaded. */
export function MenuButton({ icon, label, onClick }: MenuButtonProps) {
  return (
    <IconButton
      icon={icon}
      label={useT()(label)}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={onClick}
    />
  );
}

interface LateMenuProps extends Omit<MenuButtonProps, 'onClick'> {
  /** The menu, with its own button. */
  children: ReactNode;
}

/** A menu takes more code than the page around it: it is loaded when its button is first pressed, and begins open. */
export function LateMenu({ children, ...button }: LateMenuProps) {
  const [opened, setOpened] = useState(false);
  return opened ? children : <MenuButton {...button} onClick={() => setOpened(true)} />;
}
