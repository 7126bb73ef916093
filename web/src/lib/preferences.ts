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
/** Whether notifications were offered after the first ruling. */
export const notificationOffer = preference('aweave.notify.offer', ['none', 'due', 'answered'], () => 'none');
/** Whether a panel is shown beside a debate on a wide screen. */
export function panelPreference(name: string, debateId: string): Store<'open' | 'closed'> {
  const key = `aweave.${name}.${debateId}`;
  return createStore<'open' | 'closed'>('closed', {
    read: () => (localStorage.getItem(key) === null ? null : 'open'),
    write: (value) => (value === 'open' ? localStorage.setItem(key, '') : localStorage.removeItem(key)),
  });
}

/** Sets the theme class and the language on `<html>`. `public/theme.js` does the same before the first paint. */
export function applyPreferences(): void {
  const chosen = theme.get();
  const dark =
    chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
  document.documentElement.lang = language.get();
}
