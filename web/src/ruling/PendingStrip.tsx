import { LoaderCircle } from 'lucide-react';
import { useT } from '@/i18n';
import type { Pending } from '@/live/outbox';
import type { Connection } from '@/live/socket';
import { Button } from '@/ui/button';

interface PendingStripProps {
  pending: Pending;
  connection: Connection;
  onTakeBack: () => void;
}

/** An action that is under way, said only while it takes noticeably long or waits for the connection. */
export function PendingStrip({ pending, connection, onTakeBack }: PendingStripProps) {
  const t = useT();
  if (connection === 'live') return null;
  return (
    <div role="status" className="mb-3 flex items-center gap-3 rounded-xl bg-hover px-3.5 py-2.5 text-sm">
      <LoaderCircle aria-hidden className="size-4 text-muted motion-safe:animate-spin" />
      <p className="flex-1">{pending.sent ? t('pending.sent') : t('pending.waiting')}</p>
      {!pending.sent && (
        <Button size="sm" onClick={onTakeBack}>
          {t('pending.cancel')}
        </Button>
      )}
    </div>
  );
}
