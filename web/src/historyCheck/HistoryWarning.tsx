import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import { Confirm } from '@/ui/Confirm';
import type { HistoryAlarm } from './historyChecker';

/** Shown above a debate whose history was changed, until a person accepts it. */
export function HistoryWarning({ alarm, onAccept }: { alarm: HistoryAlarm; onAccept: () => void }) {
  const t = useT();
  const [confirming, setConfirming] = useState(false);
  const { name, ...values } = alarm.mismatch;
  return (
    <div
      role="alert"
      className="border-b border-destructive/40 bg-destructive-soft px-3 py-2.5 text-sm sm:px-6"
    >
      <div className="mx-auto flex max-w-[52rem] flex-wrap items-start gap-x-3 gap-y-2">
        <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-destructive" />
        <div className="min-w-0 flex-1 basis-60">
          <p className="font-semibold text-destructive">{t('history.title')}</p>
          <p>
            {t(`history.${name}`, values)} {t('history.next', { command: 'aweave-server verify' })}
          </p>
        </div>
        <Button size="sm" onClick={() => setConfirming(true)}>
          {t('history.accept')}
        </Button>
      </div>
      <Confirm
        open={confirming}
        onClose={() => setConfirming(false)}
        title={t('history.accept.title')}
        description={t('history.accept.text')}
        confirm={t('history.accept')}
        onConfirm={onAccept}
      />
    </div>
  );
}
