import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import type { Connection } from '@/websocket/reconnectingSocket';

export function ConnectionBadge({ connection }: { connection: Connection }) {
  const t = useT();
  const label = t(`connection.${connection}`);
  return (
    <span
      role="status"
      aria-label={t('connection.label', { state: label })}
      title={t('connection.label', { state: label })}
      data-connection={connection}
      className={cn(
        'flex items-center gap-1.5 px-2 text-xs font-medium whitespace-nowrap',
        connection === 'live' ? 'text-success' : 'text-muted-foreground',
      )}
    >
      <span
        aria-hidden
        className={cn(
          'size-2 rounded-full',
          connection === 'live' ? 'bg-success' : 'motion-safe:animate-pulse bg-opponent',
        )}
      />
      {/* The text of the first connection would make the title wrap on a phone until it is there. */}
      <span className={cn(connection !== 'reconnecting' && 'max-sm:hidden')}>{label}</span>
    </span>
  );
}
