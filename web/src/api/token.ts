import { createStore } from '@/lib/store';

// In `sessionStorage`: the token belongs to the tab and is gone when the tab is closed.
const KEY = 'aweave.token';

export const token = createStore<string | null>(null, {
  read: () => sessionStorage.getItem(KEY),
  write: (value) => (value === null ? sessionStorage.removeItem(KEY) : sessionStorage.setItem(KEY, value)),
});
