import { api } from '@/api/client';
import type { Debate } from '@/api/types';
import { translator } from '@/i18n';
import type { MessageKey } from '@/i18n/en';
import { language, notifications, sound } from '@/lib/preferences';
import { debateIdIn, inboxPath, navigate } from '@/lib/router';
import { playSound } from './sound';

const TITLES: Record<string, MessageKey> = { APPEAL: 'notify.appeal', RESOLUTION: 'notify.resolution' };

export function notificationsBlocked(): boolean {
  return typeof Notification === 'undefined' || Notification.permission === 'denied';
}

export async function requestNotificationPermission(): Promise<boolean> {
  if (typeof Notification === 'undefined') return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** Notifies that a debate needs a ruling, by sound and on the desktop, as far as the settings allow. */
export async function notifyRulingNeeded(debate: Debate): Promise<void> {
  if (sound.get() === 'on') playSound();
  if (notifications.get() !== 'on' || notificationsBlocked() || isInView(debate)) return;
  const t = translator(language.get());
  const { key, body } = await contentFor(debate);
  // The tag makes the browser show it once, even if several tabs notify.
  const notification = new Notification(t(key, { title: debate.title }), { body, tag: debate.id });
  notification.onclick = () => {
    window.focus();
    navigate(inboxPath(debate.id));
    notification.close();
  };
}

function isInView(debate: Debate): boolean {
  return document.hasFocus() && debateIdIn(location.pathname) === debate.id;
}

async function contentFor(debate: Debate): Promise<{ key: MessageKey; body: string }> {
  try {
    const { arguments: newest } = await api.debate(debate.id, { limit: 1 });
    const last = newest.at(-1);
    return {
      key: TITLES[last?.type ?? ''] ?? 'notify.ruling',
      body: last?.content.slice(0, 160) ?? '',
    };
  } catch {
    return { key: 'notify.ruling', body: '' };
  }
}
