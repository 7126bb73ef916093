import { LoaderCircle } from 'lucide-react';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';

interface SendingNoticeProps {
  /** Whether it was sent, so that it cannot be withdrawn. */
  sent: boolean;
  live: boolean;
  onWithdraw: () => void;
}

/** Shown while an action waits for the connection, or for its answer. */
export function SendingNotice({ sent, live, onWithdraw }: SendingNoticeProps) {
  const t = useT();
  return (
    <div role="status" className="flex items-center gap-2 text-[13px] text-muted-foreground">
      <LoaderCircle aria-hidden className="size-4 motion-safe:animate-spin" />
      <p className="min-w-0 flex-1">
        {live ? t('sending.live') : sent ? t('sending.sent') : t('sending.offline')}
      </p>
      {!live && !sent && (
        <Button size="sm" onClick={onWithdraw}>
          {t('sending.cancel')}
        </Button>
      )}
    </div>
  );
}
