import { api } from '@/api/client';
import type { Debate } from '@/api/types';
import { translator } from '@/i18n';
import type { MessageKey } from '@/i18n/en';
import { language, notifications, sound } from '@/shell/prefs';
import { debateIdIn, debatePath, navigate } from '@/shell/router';
import { chime } from './chime';

const TITLES: Record<string, MessageKey> = { APPEAL: 'notify.appeal', RESOLUTION: 'notify.resolution' };

export function notificationsBlocked(): boolean {
  return typeof Notification === 'undefined' || Notification.permission === 'denied';
}

export async function allowNotifications(): Promise<boolean> {
  if (typeof Notification === 'undefined') return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** Tells the person that a debate asks for a ruling, as far as they wanted to be told. */
export async function notifyNeeded(debate: Debate): Promise<void> {
  if (sound.get() === 'on') chime();
  if (notifications.get() !== 'on' || notificationsBlocked() || isInView(debate)) return;
  const t = translator(language.get());
  const { key, body } = await question(debate);
  // One tag a debate: several tabs tell it once.
  const shown = new Notification(t(key, { title: debate.title }), { body, tag: debate.id });
  shown.onclick = () => {
    window.focus();
    navigate(debatePath(debate.id));
    shown.close();
  };
}

function isInView(debate: Debate): boolean {
  return document.hasFocus() && debateIdIn(location.pathname) === debate.id;
}

async function question(debate: Debate): Promise<{ key: MessageKey; body: string }> {
  try {
    const { arguments: newest } = await api.debate(debate.id, { limit: 1 });
    const asked = newest.at(-1);
    return {
      key: TITLES[asked?.type ?? ''] ?? 'notify.ruling',
      body: asked?.content.slice(0, 160) ?? '',
    };
  } catch {
    return { key: 'notify.ruling', body: '' };
  }
}
