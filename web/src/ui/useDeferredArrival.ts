import { useDeferredValue } from 'react';

/** What has arrived, from when on it can be rendered in pieces that do not block the page. Changes of it are shown at once. */
export function useDeferredArrival<T>(value: T | undefined): T | undefined {
  const arrived = useDeferredValue(value !== undefined);
  return arrived ? value : undefined;
}
