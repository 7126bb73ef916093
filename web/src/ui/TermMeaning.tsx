import { Popover } from 'radix-ui';
import { type ReactNode, type RefObject, useMemo } from 'react';

interface TermMeaningProps {
  anchor: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** What a word means, above it. */
export default function TermMeaning({ anchor, onClose, children }: TermMeaningProps) {
  // In the bar of a decision it opens above all of that, since it would cover the box which it is about.
  const place = useMemo(() => {
    const word = anchor.current;
    const bar = word?.closest('[data-ruling-buttons]') ?? word;
    const getBoundingClientRect = () => {
      const { x = 0, width = 0, bottom = 0 } = word?.getBoundingClientRect() ?? {};
      const { y = 0 } = bar?.getBoundingClientRect() ?? {};
      return new DOMRect(x, y, width, bottom - y);
    };
    return { current: { getBoundingClientRect } };
  }, [anchor]);
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={place} />
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
