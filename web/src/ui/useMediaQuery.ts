import { useCallback, useSyncExternalStore } from 'react';

/** A screen with room for more than a phone shows, and one on which a decision leaves some. */
export const ROOMY_SCREEN = '(min-width: 48rem) and (min-height: 40rem)';
export const HIGH_SCREEN = '(min-width: 48rem) and (min-height: 52rem)';

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}
