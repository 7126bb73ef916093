import { useT } from '@/i18n';
import type { Connection } from '@/live/socket';
import { cn } from '@/ui/cn';

export function ConnectionBadge({ connection }: { connection: Connection }) {
  const t = useT();
  const word = t(`connection.${connection}`);
  return (
    <span
      role="status"
      aria-label={t('connection.label', { state: word })}
      title={t('connection.label', { state: word })}
      data-connection={connection}
      className={cn(
        'flex items-center gap-1.5 px-2 text-xs font-medium whitespace-nowrap',
        connection === 'live' ? 'text-good' : 'text-muted',
      )}
    >
      <span
        aria-hidden
        className={cn('size-2 rounded-full', connection === 'live' ? 'bg-good' : 'breathe bg-opponent')}
      />
      <span className={cn(connection === 'live' && 'max-sm:hidden')}>{word}</span>
    </span>
  );
}
