import type { ComponentProps } from 'react';
import { Link } from '@/shell/Link';
import { open, type Place, searchOf, turn } from './place';

interface DocumentLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  place: Place;
  /** Takes the place of what is open, instead of a step of the history. */
  replaces?: boolean;
}

/** Opens a document, or the list of them, over the page that one is on. */
export function DocumentLink({ place, replaces = false, ...props }: DocumentLinkProps) {
  return <Link href={searchOf(place)} onFollow={() => (replaces ? turn(place) : open(place))} {...props} />;
}
