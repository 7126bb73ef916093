import type { LucideIcon } from 'lucide-react';
import { Button, type ButtonProps } from './button';

interface IconButtonProps extends ButtonProps {
  icon: LucideIcon;
  label: string;
}

/** A button that shows an icon, and says its name to whoever points at it or listens. */
export function IconButton({ icon: Icon, label, ...props }: IconButtonProps) {
  return (
    <Button variant="ghost" size="icon" aria-label={label} title={label} {...props}>
      <Icon aria-hidden />
    </Button>
  );
}
