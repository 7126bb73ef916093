import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface NoticeProps {
  icon: LucideIcon;
  title: string;
  text?: string;
  /** `h1` if the page has no other. */
  heading?: 'h1' | 'h2' | 'h3';
  children?: ReactNode;
}

/** Shown in place of content that is empty, missing or failed to load. */
export function Notice({ icon: Icon, title, text, heading: Heading = 'h2', children }: NoticeProps) {
  return (
    <div className="m-auto flex max-w-md flex-col items-center gap-3 p-8 text-center">
      <span className="grid size-12 place-items-center rounded-2xl bg-accent text-muted-foreground">
        <Icon aria-hidden className="size-6" />
      </span>
      <Heading className="text-lg font-semibold tracking-tight text-balance">{title}</Heading>
      {text && <p className="text-sm text-muted-foreground wrap-anywhere">{text}</p>}
      {children}
    </div>
  );
}
