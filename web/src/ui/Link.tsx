import type { ComponentProps, MouseEvent } from 'react';
import { navigate } from '@/lib/router';

interface LinkProps extends ComponentProps<'a'> {
  href: string;
  /** Replaces the navigation to `href`. */
  onNavigate?: () => void;
}

/** A link that navigates without loading the page; with a modifier key the browser opens a new tab as usual. */
export function Link({ href, onNavigate, onClick, ...props }: LinkProps) {
  function onLinkClick(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    const opensElsewhere =
      event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
    if (event.defaultPrevented || opensElsewhere) return;
    event.preventDefault();
    if (onNavigate) onNavigate();
    else navigate(href);
  }
  return <a href={href} onClick={onLinkClick} {...props} />;
}
