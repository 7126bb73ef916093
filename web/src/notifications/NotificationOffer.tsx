import { Bell } from 'lucide-react';
import { useT } from '@/i18n';
import { notificationOffer, notifications } from '@/lib/preferences';
import { useStore } from '@/lib/store';
import { Button } from '@/ui/button';
import { toast } from '@/ui/toast';
import { notificationsBlocked, switchOnNotifications } from './notifications';

/** Whether notifications are to be offered: once, where a first ruling was given. */
export function useNotificationsOffered(): boolean {
  const offer = useStore(notificationOffer);
  const on = useStore(notifications) === 'on';
  return offer === 'due' && !on && !notificationsBlocked();
}

/** A first ruling was given: whoever gave it may want to be told of the next one. */
export function offerNotifications(): void {
  if (notificationOffer.get() === 'none') notificationOffer.set('due');
}

/** Asks in words, so that the browser's own question does not come unasked. */
export function NotificationOffer() {
  const t = useT();
  async function accept() {
    notificationOffer.set('answered');
    if (!(await switchOnNotifications())) toast(t('settings.denied'), 'bad');
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Bell aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <p className="min-w-0 flex-1 basis-56 text-[13px]">{t('notify.offer')}</p>
      <div className="ml-auto flex gap-2">
        <Button size="sm" onClick={() => void accept()}>
          {t('notify.offer.yes')}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => notificationOffer.set('answered')}>
          {t('notify.offer.no')}
        </Button>
      </div>
    </div>
  );
}
