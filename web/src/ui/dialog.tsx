import { X } from 'lucide-react';
import { AlertDialog as RadixAlert, Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useT } from '@/i18n';
import { Button, IconButton } from './button';
import { cn } from './cn';

interface DialogProps {
  onClose: () => void;
  title: string;
  description: string;
  children: ReactNode;
}

export function Dialog({ onClose, title, description, children }: DialogProps) {
  const t = useT();
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
            <IconButton icon={X} label={t('dialog.close')} className="absolute top-4 right-4" />
          </RadixDialog.Close>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

export const OVERLAY = 'motion-safe:animate-in fade-in duration-150 fixed inset-0 z-40 bg-black/45';

const PANEL =
  'motion-safe:animate-in fade-in duration-150 fixed top-1/2 left-1/2 z-50 max-h-[85dvh] w-[min(30rem,calc(100vw-2rem))] -translate-1/2 overflow-y-auto rounded-2xl border border-border bg-card p-6 shadow-raised';

interface ConfirmProps {
  open: boolean;
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
export function Confirm(props: ConfirmProps) {
  const { open, onClose, title, description, confirm, danger = true, onConfirm, children } = props;
  const t = useT();
  return (
    <RadixAlert.Root open={open} onOpenChange={onClose}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={OVERLAY} />
        <RadixAlert.Content className={cn(PANEL, 'w-[min(26rem,calc(100vw-2rem))]!')}>
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
