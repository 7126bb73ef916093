// Sets theme and language before the first paint, so that the wrong theme never flashes. `src/lib/preferences.ts` uses
// the same keys and values.
(() => {
  let theme = null;
  let lang = null;
  try {
    theme = localStorage.getItem('aweave.theme');
    lang = localStorage.getItem('aweave.lang');
  } catch {}
  const root = document.documentElement;
  const system = theme !== 'dark' && theme !== 'light';
  const dark = theme === 'dark' || (system && matchMedia('(prefers-color-scheme: dark)').matches);
  root.classList.toggle('dark', dark);
  root.lang =
    lang === 'vi' || lang === 'en' ? lang : navigator.language.toLowerCase().startsWith('vi') ? 'vi' : 'en';
})();
