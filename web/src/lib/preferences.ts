import { createStore, type Store } from './store';

export type Theme = 'light' | 'dark' | 'system';
export type Language = 'en' | 'vi';

function preference<T extends string>(key: string, choices: readonly T[], initial: () => T): Store<T> {
  return createStore<T>(typeof window === 'undefined' ? (choices[0] as T) : initial(), {
    read: () => choices.find((known) => known === localStorage.getItem(key)) ?? null,
    write: (value) => localStorage.setItem(key, value),
  });
}

// `public/theme.js` reads theme and language before the first paint: it must use the same keys and values.
export const theme = preference<Theme>('aweave.theme', ['system', 'light', 'dark'], () => 'system');
export const language = preference<Language>('aweave.lang', ['en', 'vi'], () =>
  navigator.language.toLowerCase().startsWith('vi') ? 'vi' : 'en',
);
export const notifications = preference('aweave.notify', ['off', 'on'], () => 'off');
export const sound = preference('aweave.sound', ['off', 'on'], () => 'off');
/** Whether the issues are shown beside the debate on a wide screen. */
export const issuesPanel = preference('aweave.issues', ['closed', 'open'], () => 'closed');

/** Whether the plan is shown beside the debate on a wide screen. */
export const planPanel = preference('aweave.plan', ['closed', 'open'], () => 'closed');

/** Sets the theme class and the language on `<html>`. `public/theme.js` does the same before the first paint. */
export function applyPreferences(): void {
  const chosen = theme.get();
  const dark =
    chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
  document.documentElement.lang = language.get();
}
