import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useT } from '@/i18n';
import { IconButton } from './button';
import { DIALOG, OVERLAY } from './dialogStyles';
import { useReturnFocus } from './useReturnFocus';

interface DialogProps {
  onClose: () => void;
  title: string;
  description: string;
  children: ReactNode;
}

export function Dialog({ onClose, title, description, children }: DialogProps) {
  const t = useT();
  const returnFocus = useReturnFocus();
  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={OVERLAY} />
        <RadixDialog.Content className={DIALOG} onCloseAutoFocus={returnFocus}>
          <RadixDialog.Title className="pr-8 text-lg font-semibold tracking-tight">{title}</RadixDialog.Title>
          <RadixDialog.Description className="mt-1 text-sm text-muted-foreground">
            {description}
          </RadixDialog.Description>
          {children}
          <RadixDialog.Close asChild>
            <IconButton icon={X} label={t('dialog.close')} className="absolute top-4 right-4" />
          </RadixDialog.Close>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
