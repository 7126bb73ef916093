import { AlertDialog as RadixAlert } from 'radix-ui';
import type { ReactNode } from 'react';
import { useT } from '@/i18n';
import { Button } from './button';
import { cn } from './cn';
import { DIALOG, OVERLAY } from './dialogStyles';
import { useReturnFocus } from './useReturnFocus';

export interface ConfirmProps {
  onClose: () => void;
  title: string;
  description: string;
  confirm: string;
  /** Whether what is confirmed cannot be undone. */
  danger?: boolean;
  onConfirm: () => void;
  /** What it is about, above the description. */
  children?: ReactNode;
}

/** A dialog that asks before an action that cannot be undone. Cancel has the initial focus. */
export default function ConfirmDialog(props: ConfirmProps) {
  const { onClose, title, description, confirm, danger = true, onConfirm, children } = props;
  const t = useT();
  const returnFocus = useReturnFocus();
  return (
    <RadixAlert.Root open onOpenChange={onClose}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={OVERLAY} />
        <RadixAlert.Content
          className={cn(DIALOG, 'w-[min(26rem,calc(100vw-2rem))]!')}
          onCloseAutoFocus={returnFocus}
        >
          <RadixAlert.Title className="text-lg font-semibold tracking-tight">{title}</RadixAlert.Title>
          {children && <div className="mt-3 grid gap-3 text-sm">{children}</div>}
          <RadixAlert.Description className="mt-3 text-sm text-muted-foreground">
            {description}
          </RadixAlert.Description>
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <RadixAlert.Cancel asChild>
              <Button>{t('dialog.cancel')}</Button>
            </RadixAlert.Cancel>
            <RadixAlert.Action asChild>
              <Button variant={danger ? 'destructive' : 'primary'} onClick={onConfirm}>
                {confirm}
              </Button>
            </RadixAlert.Action>
          </div>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}
