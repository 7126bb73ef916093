import type { ConfirmProps } from './ConfirmDialog';
import { lazyComponent } from './lazyComponent';

const ConfirmDialog = lazyComponent(() => import('./ConfirmDialog'));

/** Asks before an action that cannot be undone. */
export function Confirm({ open, ...dialog }: ConfirmProps & { open: boolean }) {
  return open && <ConfirmDialog {...dialog} />;
}
