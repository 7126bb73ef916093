import { useT } from '@/i18n';
import { toast } from './toast';

/** Copies a text and shows a toast that says whether it worked. */
export function useCopy(): (text: string) => Promise<void> {
  const t = useT();
  return async (text) => {
    if (await copyText(text)) toast(t('copy.done'));
    else toast(t('copy.failed'), 'bad');
  };
}

/** Returns whether it worked. The clipboard API needs a secure origin, which plain http to another machine is not. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  const focused = document.activeElement;
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
