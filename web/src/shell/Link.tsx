import type { ComponentProps, MouseEvent } from 'react';
import { navigate } from './router';

/** A plain link: opens in a new tab when asked to, and moves within the page otherwise. */
export function Link({ href, onClick, ...props }: ComponentProps<'a'> & { href: string }) {
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
    if (event.defaultPrevented || elsewhere) return;
    event.preventDefault();
    navigate(href);
  }
  return <a href={href} onClick={follow} {...props} />;
}
