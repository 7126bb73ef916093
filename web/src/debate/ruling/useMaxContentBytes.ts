import { useEffect, useState } from 'react';
import { api } from '@/api/client';

/** The server's default, until it has told its own limit. */
const DEFAULT_MAX_BYTES = 10_240;

/** How long the content of a ruling may be, in bytes. */
export function useMaxContentBytes(): number {
  const [max, setMax] = useState(DEFAULT_MAX_BYTES);
  useEffect(() => {
    const unmounted = new AbortController();
    api.info(unmounted.signal).then(
      ({ limits }) => setMax(limits.max_content_bytes),
      // The server says so, too, when a text is too long.
      () => undefined,
    );
    return () => unmounted.abort();
  }, []);
  return max;
}
