import { useCallback } from 'react';
import { useT } from '@/i18n';
import { copyText } from './clipboard';
import { toast } from './toast';

/** Copies a text and shows a toast that says whether it worked. */
export function useCopy(): (text: string) => Promise<void> {
  const t = useT();
  return useCallback(
    async (text) => {
      if (await copyText(text)) toast(t('copy.done'));
      else toast(t('copy.failed'), 'bad');
    },
    [t],
  );
}
