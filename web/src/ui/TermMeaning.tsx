import { Popover } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';

interface TermMeaningProps {
  anchor: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** What a word means, above it. */
export default function TermMeaning({ anchor, onClose, children }: TermMeaningProps) {
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={anchor as RefObject<HTMLButtonElement>} />
      <Popover.Portal>
        <Popover.Content
          role="tooltip"
          side="top"
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="pointer-events-none z-50 max-w-72 rounded-lg border bg-card px-3 py-2 text-[13px] leading-snug font-normal tracking-normal whitespace-normal text-foreground shadow-raised"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
