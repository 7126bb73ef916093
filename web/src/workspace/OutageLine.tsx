import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useT } from '@/i18n';
import { useNow } from '@/lib/useNow';
import type { Connection } from '@/websocket/reconnectingSocket';

const CLOCK_MS = 5_000;
/** A connection that is back sooner was hardly away. */
const SOON_MS = 2_000;

/** Above every page while the server cannot be reached: since when, and what that means for what is shown. */
export function OutageLine({ connection }: { connection: Connection }) {
  const t = useT();
  const now = useNow(CLOCK_MS);
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
          className="flex flex-wrap items-center gap-x-2 border-b bg-warning-soft px-3 py-1.5 text-[13px] text-warning sm:px-6"
        >
          <WifiOff aria-hidden className="size-4 shrink-0" />
          <span className="font-medium">
            <time dateTime={lostAt} title={t.dateTime(lostAt)}>
              {t('outage.since', { time: t.duration(now - Date.parse(lostAt)) })}
            </time>
          </span>
          <span>{t('outage.text')}</span>
        </p>
      )}
    </div>
  );
}
