import { type ComponentProps, lazy, Suspense, useEffect } from 'react';
import { useFirstViewShown } from '@/lib/firstView';

const load = () => import('./ConfirmDialog');
const ConfirmDialog = lazy(load);

/** Loads the dialog in advance: it must also open while the server cannot be reached. */
export function Confirm({ open, ...props }: ComponentProps<typeof ConfirmDialog> & { open: boolean }) {
  const shown = useFirstViewShown();
  useEffect(() => {
    if (shown) void load().catch(() => undefined);
  }, [shown]);
  return <Suspense>{open && <ConfirmDialog {...props} />}</Suspense>;
}
