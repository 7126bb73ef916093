import { X } from 'lucide-react';
import { AlertDialog as RadixAlert, Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button, type ButtonProps } from './button';
import { cn } from './cn';

const OVERLAY = 'dialog-overlay fixed inset-0 z-40 bg-black/45';
const PANEL =
  'dialog-panel fixed top-1/2 left-1/2 z-50 max-h-[85dvh] w-[min(30rem,calc(100vw-2rem))] -translate-1/2 overflow-y-auto rounded-2xl border border-line bg-surface p-6 shadow-lift';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: string;
  closeLabel: string;
  children: ReactNode;
}

export function Dialog({ open, onOpenChange, title, description, closeLabel, children }: DialogProps) {
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={OVERLAY} />
        <RadixDialog.Content className={PANEL}>
          <RadixDialog.Title className="pr-8 text-lg font-semibold tracking-tight">{title}</RadixDialog.Title>
          <RadixDialog.Description className="mt-1 text-sm text-muted">{description}</RadixDialog.Description>
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

interface ConfirmProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: string;
  confirm: string;
  cancel: string;
  tone?: ButtonProps['variant'];
  onConfirm: () => void;
}

/** Asks before what cannot be undone; Cancel has the focus first. */
export function Confirm({
  open,
  onOpenChange,
  title,
  description,
  confirm,
  cancel,
  tone,
  onConfirm,
}: ConfirmProps) {
  return (
    <RadixAlert.Root open={open} onOpenChange={onOpenChange}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={OVERLAY} />
        <RadixAlert.Content className={cn(PANEL, 'w-[min(26rem,calc(100vw-2rem))]')}>
          <RadixAlert.Title className="text-lg font-semibold tracking-tight">{title}</RadixAlert.Title>
          <RadixAlert.Description className="mt-2 text-sm text-muted">{description}</RadixAlert.Description>
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <RadixAlert.Cancel asChild>
              <Button>{cancel}</Button>
            </RadixAlert.Cancel>
            <RadixAlert.Action asChild>
              <Button variant={tone ?? 'danger'} onClick={onConfirm}>
                {confirm}
              </Button>
            </RadixAlert.Action>
          </div>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}
