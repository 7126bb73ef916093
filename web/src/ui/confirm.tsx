import { AlertDialog as RadixAlert } from 'radix-ui';
import { Button } from './button';
import { cn } from './cn';
import { OVERLAY, PANEL } from './dialogStyles';

interface ConfirmProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description: string;
  confirm: string;
  cancel: string;
  onConfirm: () => void;
}

/** A dialog that asks before an action that cannot be undone. Cancel has the initial focus. */
export function Confirm({ open, onClose, title, description, confirm, cancel, onConfirm }: ConfirmProps) {
  return (
    <RadixAlert.Root open={open} onOpenChange={onClose}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={OVERLAY} />
        <RadixAlert.Content className={cn(PANEL, 'w-[min(26rem,calc(100vw-2rem))]!')}>
          <RadixAlert.Title className="text-lg font-semibold tracking-tight">{title}</RadixAlert.Title>
          <RadixAlert.Description className="mt-2 text-sm text-muted-foreground">
            {description}
          </RadixAlert.Description>
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <RadixAlert.Cancel asChild>
              <Button>{cancel}</Button>
            </RadixAlert.Cancel>
            <RadixAlert.Action asChild>
              <Button variant="destructive" onClick={onConfirm}>
                {confirm}
              </Button>
            </RadixAlert.Action>
          </div>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}
