import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button';
import { OVERLAY, PANEL } from './dialogStyles';

interface DialogProps {
  onClose: () => void;
  title: string;
  description: string;
  closeLabel: string;
  children: ReactNode;
}

export function Dialog({ onClose, title, description, closeLabel, children }: DialogProps) {
  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={OVERLAY} />
        <RadixDialog.Content className={PANEL}>
          <RadixDialog.Title className="pr-8 text-lg font-semibold tracking-tight">{title}</RadixDialog.Title>
          <RadixDialog.Description className="mt-1 text-sm text-muted-foreground">
            {description}
          </RadixDialog.Description>
          {children}
          <RadixDialog.Close asChild>
            <Button variant="ghost" size="icon" aria-label={closeLabel} className="absolute top-4 right-4">
              <X aria-hidden />
            </Button>
          </RadixDialog.Close>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
