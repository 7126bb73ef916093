import { createStore, type Store } from './store';

export type Theme = 'light' | 'dark' | 'system';
export type Language = 'en' | 'vi';

function choice<T extends string>(key: string, choices: readonly T[], initial: () => T): Store<T> {
  return createStore<T>(typeof window === 'undefined' ? (choices[0] as T) : initial(), {
    read: () => choices.find((known) => known === localStorage.getItem(key)) ?? null,
    write: (value) => localStorage.setItem(key, value),
  });
}

// `public/theme.js` reads the first two before anything is painted.
export const theme = choice<Theme>('aweave.theme', ['system', 'light', 'dark'], () => 'system');
export const language = choice<Language>('aweave.lang', ['en', 'vi'], () =>
  navigator.language.toLowerCase().startsWith('vi') ? 'vi' : 'en',
);
export const notifications = choice('aweave.notify', ['off', 'on'], () => 'off');
export const sound = choice('aweave.sound', ['off', 'on'], () => 'off');

/** Puts theme and language on the document, as `public/theme.js` does before the first paint. */
export function applyToDocument(): void {
  const chosen = theme.get();
  const dark =
    chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
  document.documentElement.lang = language.get();
}
