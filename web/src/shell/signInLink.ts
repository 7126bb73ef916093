// The link that the server prints at its start. Its code stands after the #, which browsers send to nobody.
const LINK = '#sign-in=';

export function hasSignInLink(): boolean {
  return typeof location !== 'undefined' && location.hash.startsWith(LINK);
}

/** The code of the link, which is taken out of the address: history and bookmarks have no business with it. */
export function takeCode(): string | null {
  if (!hasSignInLink()) return null;
  const code = location.hash.slice(LINK.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}
