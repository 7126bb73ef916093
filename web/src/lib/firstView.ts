import { startTransition, useEffect, useState } from 'react';
import { createStore } from './store';

/** Whether the page has shown what its address is about. What is not seen at once is loaded after that. */
const firstViewShown = createStore(false);

/** The screen may fail to load, or wait for somebody to sign in. */
const TIMEOUT_MS = 4000;
const AFTER_PAINT_MS = 100;

/** Whether it was shown. What is rendered then does not block the page. */
export function useFirstViewShown(): boolean {
  const [shown, setShown] = useState(() => firstViewShown.get());
  useEffect(() => {
    const update = () => startTransition(() => setShown(firstViewShown.get()));
    update();
    return firstViewShown.subscribe(update);
  }, []);
  return shown;
}

/** To be called by what an address is about, with true once it is rendered. */
export function useFirstView(rendered: boolean): void {
  useEffect(() => {
    if (!rendered) return;
    const timer = setTimeout(() => firstViewShown.set(true), AFTER_PAINT_MS);
    return () => clearTimeout(timer);
  }, [rendered]);
}

/** Goes on without the first view if it takes too long. */
export function useFirstViewTimeout(): void {
  useEffect(() => {
    const timer = setTimeout(() => firstViewShown.set(true), TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, []);
}
