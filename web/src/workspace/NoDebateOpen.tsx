import { Scale } from 'lucide-react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { debatePath } from '@/lib/router';
import { Link } from '@/ui/Link';
import { Notice } from '@/ui/notice';

interface NoDebateOpenProps {
  needed: number;
  next: Debate | undefined;
}

/** Shown beside the list while no debate is open. */
export function NoDebateOpen({ needed, next }: NoDebateOpenProps) {
  const t = useT();
  return (
    <Notice icon={Scale} title={t('start.title')}>
      <p className="text-sm text-balance text-muted-foreground">{t('start.text')}</p>
      <p className="text-sm font-medium">{needed > 0 ? t('start.needed', { n: needed }) : t('start.none')}</p>
      {next && (
        <Link
          href={debatePath(next.id)}
          className="mt-1 rounded-lg bg-primary px-4 py-2 text-sm font-medium text-primary-foreground hover:bg-primary/90"
        >
          {t('start.next')}
        </Link>
      )}
    </Notice>
  );
}
