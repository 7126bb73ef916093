import type { LucideIcon } from 'lucide-react';
import { Button, type ButtonProps } from './button';

interface IconButtonProps extends ButtonProps {
  icon: LucideIcon;
  label: string;
}

/** A button with only an icon: its label is its tooltip and its name for screen readers. */
export function IconButton({ icon: Icon, label, ...props }: IconButtonProps) {
  return (
    <Button variant="ghost" size="icon" aria-label={label} title={label} {...props}>
      <Icon aria-hidden />
    </Button>
  );
}
