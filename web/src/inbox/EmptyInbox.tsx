import { Inbox } from 'lucide-react';
import { useT } from '@/i18n';
import { Notice } from '@/ui/notice';
import { FirstDebate } from './FirstDebate';

/** Nothing waits; another debate can be started. */
export function EmptyInbox() {
  const t = useT();
  return (
    <>
      <Notice icon={Inbox} title={t('inbox.empty')}>
        <p className="text-sm text-balance text-muted-foreground">{t('inbox.empty.text')}</p>
      </Notice>
      <details className="mt-6 rounded-xl border bg-card px-4 py-3 text-sm">
        <summary className="cursor-pointer rounded font-medium">{t('inbox.start.another')}</summary>
        <FirstDebate embedded />
      </details>
    </>
  );
}
