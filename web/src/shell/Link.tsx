import type { ComponentProps, MouseEvent } from 'react';
import { navigate } from './router';

interface LinkProps extends ComponentProps<'a'> {
  href: string;
  /** How to move within the page, where it is more than to go there. */
  onFollow?: () => void;
}

/** A plain link: opens in a new tab when asked to, and moves within the page otherwise. */
export function Link({ href, onFollow, onClick, ...props }: LinkProps) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
    if (event.defaultPrevented || elsewhere) return;
    event.preventDefault();
    if (onFollow) onFollow();
    else navigate(href);
  }
  return <a href={href} onClick={follow} {...props} />;
}
