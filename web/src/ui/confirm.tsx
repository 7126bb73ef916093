import { type ComponentProps, lazy, Suspense, useEffect } from 'react';

const load = () => import('./ConfirmDialog');
const ConfirmDialog = lazy(load);

/** Asks before what cannot be undone. Fetched beside the page, so that it is there should the server be away. */
export function Confirm({ open, ...props }: ComponentProps<typeof ConfirmDialog> & { open: boolean }) {
  useEffect(() => void load(), []);
  return <Suspense>{open && <ConfirmDialog {...props} />}</Suspense>;
}
