// Sets theme and language before the first paint, so that the wrong theme never flashes. `src/lib/preferences.ts` uses
// the same keys and values. Until a key is pressed, what has the focus is marked: `globals.css` gives it no outline.
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
  const mark = ({ target }) => target.setAttribute('data-no-outline', '');
  const end = () => {
    removeEventListener('focusin', mark);
    for (const marked of document.querySelectorAll('[data-no-outline]'))
      marked.removeAttribute('data-no-outline');
  };
  addEventListener('focusin', mark);
  addEventListener('keydown', end, { capture: true, once: true });
})();
