import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from './cn';
import { OVERLAY } from './dialogStyles';
import { useReturnFocus } from './useReturnFocus';

const WIDTHS = {
  narrow: 'md:w-[26rem]',
  half: 'md:w-[max(52vw,44rem)]',
};

export type DrawerSize = keyof typeof WIDTHS;

interface DrawerProps {
  onClose: () => void;
  size: DrawerSize;
  /** False if the content handles Escape itself. */
  closesOnEscape?: boolean;
  children: ReactNode;
}

/** A dialog at the right of the page; full screen on a phone. On close the focus returns to where it was. */
export function Drawer({ onClose, size, closesOnEscape = true, children }: DrawerProps) {
  const returnFocus = useReturnFocus();
  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={OVERLAY} />
        <RadixDialog.Content
          aria-describedby={undefined}
          onEscapeKeyDown={(event) => {
            // Without the focus, as while it is loaded, the content does not hear of it.
            const within = event.target instanceof Element && event.target.matches('[role=dialog] *');
            if (!closesOnEscape && within) event.preventDefault();
          }}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={returnFocus}
          className={cn(
            'fixed motion-safe:animate-in fade-in duration-150 inset-y-0 right-0 z-50 flex w-full flex-col low:overflow-y-auto bg-background shadow-raised outline-none md:max-w-full md:border-l',
            WIDTHS[size],
          )}
        >
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

export const DrawerTitle = RadixDialog.Title;
