import { createStore } from '@/shell/store';

// The token lives as long as the tab: it is never written to a disk.
const KEY = 'aweave.token';

export const token = createStore<string | null>(null, {
  read: () => sessionStorage.getItem(KEY),
  write: (value) => (value === null ? sessionStorage.removeItem(KEY) : sessionStorage.setItem(KEY, value)),
});
