import { LoaderCircle } from 'lucide-react';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import type { Pending } from '@/websocket/outbox';
import type { Connection } from '@/websocket/reconnectingSocket';

interface PendingNoticeProps {
  pending: Pending;
  connection: Connection;
  onWithdraw: () => void;
}

/** Shown while an action waits for the connection or for its answer after a lost connection. */
export function PendingNotice({ pending, connection, onWithdraw }: PendingNoticeProps) {
  const t = useT();
  if (connection === 'live') return null;
  return (
    <div role="status" className="mb-3 flex items-center gap-3 rounded-xl bg-accent px-3.5 py-2.5 text-sm">
      <LoaderCircle aria-hidden className="size-4 text-muted-foreground motion-safe:animate-spin" />
      <p className="flex-1">{pending.sent ? t('pending.sent') : t('pending.waiting')}</p>
      {!pending.sent && (
        <Button size="sm" onClick={onWithdraw}>
          {t('pending.cancel')}
        </Button>
      )}
    </div>
  );
}
