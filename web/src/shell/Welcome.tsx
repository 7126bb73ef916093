import { Scale } from 'lucide-react';
import type { Debate } from '@/api/types';
import { useT } from '@/i18n';
import { Notice } from '@/ui/notice';
import { Link } from './Link';
import { debatePath } from './router';

interface WelcomeProps {
  needed: number;
  next: Debate | undefined;
}

/** The right side while no debate is open. */
export function Welcome({ needed, next }: WelcomeProps) {
  const t = useT();
  return (
    <Notice icon={Scale} title={t('welcome.title')}>
      <p className="text-sm text-balance text-muted">{t('welcome.text')}</p>
      <p className="text-sm font-medium">
        {needed > 0 ? t('welcome.needed', { n: needed }) : t('welcome.none')}
      </p>
      {next && (
        <Link
          href={debatePath(next.id)}
          className="mt-1 rounded-lg bg-arbitrator-strong px-4 py-2 text-sm font-medium text-on-strong hover:bg-arbitrator-strong/90"
        >
          {t('welcome.next')}
        </Link>
      )}
    </Notice>
  );
}
