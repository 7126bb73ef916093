export const OVERLAY = 'dialog-overlay fixed inset-0 z-40 bg-black/45';

export const PANEL =
  'dialog-panel fixed top-1/2 left-1/2 z-50 max-h-[85dvh] w-[min(30rem,calc(100vw-2rem))] -translate-1/2 overflow-y-auto rounded-2xl border border-line bg-surface p-6 shadow-lift';
