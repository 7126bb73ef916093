import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useT } from '@/i18n';
import { Time } from '@/ui/Time';
import type { Connection } from '@/websocket/reconnectingSocket';

/** A connection that is back sooner was hardly away. */
const SOON_MS = 2_000;

/** Above every page while the server cannot be reached: since when, and what that means for what is shown. */
export function OutageLine({ connection }: { connection: Connection }) {
  const t = useT();
  const away = connection === 'reconnecting';
  const [lostAt, setLostAt] = useState<string | null>(null);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    setShown(false);
    setLostAt(away ? new Date().toISOString() : null);
    if (!away) return;
    const timer = setTimeout(() => setShown(true), SOON_MS);
    return () => clearTimeout(timer);
  }, [away]);
  return (
    <div role="status" className="order-first shrink-0">
      {shown && lostAt !== null && (
        <p
          data-outage
          className="flex flex-wrap items-center gap-x-2 border-b bg-opponent-soft px-3 py-1.5 text-[13px] text-opponent sm:px-6"
        >
          <WifiOff aria-hidden className="size-4 shrink-0" />
          <span className="font-medium">
            {t('outage.since')} <Time at={lostAt} />
          </span>
          <span>{t('outage.text')}</span>
        </p>
      )}
    </div>
  );
}
