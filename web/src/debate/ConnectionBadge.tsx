import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import type { Connection } from '@/websocket/reconnectingSocket';

interface ConnectionBadgeProps {
  connection: Connection;
  /** Whether that it is live is nothing to know. */
  quiet?: boolean;
  className?: string;
}

export function ConnectionBadge({ connection, quiet = false, className }: ConnectionBadgeProps) {
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
        // On a phone a line above the page says that the connection is away.
        connection === 'live' && (quiet ? 'sr-only' : 'max-sm:sr-only'),
        className,
      )}
    >
      <span
        aria-hidden
        className={cn(
          'size-2 forced-color-adjust-none rounded-full',
          connection === 'live' ? 'bg-success' : 'motion-safe:animate-pulse bg-warning',
        )}
      />
      <span className="max-sm:hidden">{label}</span>
    </span>
  );
}
