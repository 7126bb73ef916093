import { api } from '@/api/client';
import type { Debate } from '@/api/types';
import { translator } from '@/i18n';
import { language, notifications, sound } from '@/lib/preferences';
import { debateIdIn, inboxPath, navigate } from '@/lib/router';
import { playSound } from './sound';

export function notificationsBlocked(): boolean {
  return typeof Notification === 'undefined' || Notification.permission === 'denied';
}

/** Notifies that a debate needs a ruling, by sound and on the desktop, as far as the settings allow. */
export async function notifyRulingNeeded(debate: Debate): Promise<void> {
  if (sound.get() === 'on') playSound();
  const inView = document.hasFocus() && debateIdIn(location.pathname) === debate.id;
  if (notifications.get() !== 'on' || notificationsBlocked() || inView) return;
  // Without its newest argument it says less.
  const context = await api.debate(debate.id, { limit: 1 }).catch(() => null);
  const last = context?.arguments.at(-1);
  const title = `${translator(language.get()).label('asks', debate.ruling_request?.on ?? '')}: ${debate.title}`;
  // The tag makes the browser show it once, even if several tabs notify.
  const notification = new Notification(title, { body: last?.content.slice(0, 160) ?? '', tag: debate.id });
  notification.onclick = () => {
    window.focus();
    navigate(inboxPath(debate.id));
    notification.close();
  };
}
