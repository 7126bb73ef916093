import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import type { Connection } from '@/websocket/reconnectingSocket';

interface ConnectionBadgeProps {
  connection: Connection;
  className?: string;
}

export function ConnectionBadge({ connection, className }: ConnectionBadgeProps) {
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
      {/* On a phone a line above the page says that the connection is away. */}
      <span className="max-sm:hidden">{label}</span>
    </span>
  );
}
