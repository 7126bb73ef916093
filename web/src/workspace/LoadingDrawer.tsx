import { X } from 'lucide-react';
import { useLayoutEffect, useState } from 'react';
import { useT } from '@/i18n';
import { closeDocuments } from '@/lib/documentRoute';
import { IconButton } from '@/ui/button';
import { TextSkeleton } from '@/ui/Skeleton';

/**
 * In place of the drawer while its code is loaded, so that it can be closed even if the server is away. Like the drawer it
 * returns the focus.
 */
export function LoadingDrawer() {
  const t = useT();
  const [previousFocus] = useState(() => document.activeElement as HTMLElement | null);
  useLayoutEffect(() => () => previousFocus?.focus(), [previousFocus]);
  return (
    <div
      role="dialog"
      aria-label={t('documents.all')}
      onKeyDown={({ key }) => key === 'Escape' && closeDocuments()}
      className="fixed inset-y-0 right-0 z-50 w-full border-l bg-background shadow-raised md:w-[max(52vw,44rem)] md:max-w-full"
    >
      <header className="flex items-center gap-2 border-b bg-card px-3 py-2.5 sm:px-5">
        <p className="flex-1 text-[17px] font-semibold tracking-tight">{t('documents.all')}</p>
        <IconButton autoFocus icon={X} label={t('dialog.close')} onClick={closeDocuments} />
      </header>
      <TextSkeleton />
    </div>
  );
}
