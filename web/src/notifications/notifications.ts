import { api } from '@/api/client';
import type { Debate } from '@/api/types';
import { translator } from '@/i18n';
import { language, notifications } from '@/lib/preferences';
import { debateIdIn, inboxPath, navigate } from '@/lib/router';

export function notificationsBlocked(): boolean {
  return typeof Notification === 'undefined' || Notification.permission === 'denied';
}

/** Asks for the permission; false if it was not given. */
export async function switchOnNotifications(): Promise<boolean> {
  if (notificationsBlocked() || (await Notification.requestPermission()) !== 'granted') return false;
  notifications.set('on');
  void startWorker();
  return true;
}

/** The worker that shows notifications, which a phone does not let a page do; null where there is none. */
export async function startWorker(): Promise<ServiceWorkerRegistration | null> {
  if (notifications.get() !== 'on' || !('serviceWorker' in navigator)) return null;
  navigator.serviceWorker.onmessage = ({ data }: MessageEvent<unknown>) => {
    const show = typeof data === 'object' && data !== null && 'show' in data ? data.show : null;
    if (typeof show === 'string') navigate(show);
  };
  try {
    await navigator.serviceWorker.register('/service-worker.js');
    return await navigator.serviceWorker.ready;
  } catch {
    // Browsers refuse it on plain http to another machine, and in some private windows.
    return null;
  }
}

/** Notifies that a debate needs a ruling, on the desktop or phone, if that is switched on. */
export async function notifyRulingNeeded(debate: Debate): Promise<void> {
  const inView = document.hasFocus() && debateIdIn(location.pathname) === debate.id;
  if (notifications.get() !== 'on' || notificationsBlocked() || inView) return;
  // Without its newest argument it says less.
  const context = await api.debate(debate.id, { limit: 1 }).catch(() => null);
  const last = context?.arguments.at(-1);
  const title = `${translator(language.get()).label('asks', debate.ruling_request?.on ?? '')}: ${debate.title}`;
  const path = inboxPath(debate.id);
  // The tag makes the browser show it once, even if several tabs notify.
  const options = {
    body: last?.content.slice(0, 160) ?? '',
    tag: debate.id,
    icon: '/icon-192.png',
    data: { path },
  };
  const worker = await startWorker();
  if (worker === null) showFromPage(title, options, path);
  else await worker.showNotification(title, options).catch(() => showFromPage(title, options, path));
}

function showFromPage(title: string, options: NotificationOptions, path: string): void {
  try {
    const notification = new Notification(title, options);
    notification.onclick = () => {
      window.focus();
      navigate(path);
      notification.close();
    };
  } catch {
    // Phones let only a worker show them.
  }
}
