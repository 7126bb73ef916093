// The server prints a sign-in link when it starts. Its code is in the hash, which browsers never send.
const PREFIX = '#sign-in=';

export function hasSignInLink(): boolean {
  return typeof location !== 'undefined' && location.hash.startsWith(PREFIX);
}

/** Reads the code and removes it from the address, so that it is not kept in history or bookmarks. */
export function takeSignInCode(): string | null {
  if (!hasSignInLink()) return null;
  const code = location.hash.slice(PREFIX.length);
  history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}
