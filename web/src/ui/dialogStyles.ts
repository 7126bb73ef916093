/** What covers the page behind a dialog. */
export const OVERLAY = 'motion-safe:animate-in fade-in duration-150 fixed inset-0 z-40 bg-black/45';

/** A dialog in the middle of the page. */
export const DIALOG =
  'motion-safe:animate-in fade-in duration-150 fixed top-1/2 left-1/2 z-50 max-h-[85dvh] w-[min(30rem,calc(100vw-2rem))] -translate-1/2 overflow-y-auto rounded-2xl border border-border bg-card p-6 shadow-raised';
