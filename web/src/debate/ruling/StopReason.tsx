import { MessageSquarePlus } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useT } from '@/i18n';
import { Button } from '@/ui/button';
import type { StopReasonDraft } from './useStopReason';

/** The optional reason for a Stop: a link until somebody wants to give one. */
export function StopReason({ reason, busy }: { reason: StopReasonDraft; busy: boolean }) {
  const t = useT();
  const [asked, setAsked] = useState(false);
  const shown = asked || reason.text !== '';

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== 'Escape') return;
    event.currentTarget.blur();
    if (reason.text === '') setAsked(false);
  }

  if (!shown) {
    return (
      <div className="mb-2 flex justify-end">
        <Button
          variant="link"
          size="bare"
          className="gap-1.5! rounded! text-[13px]"
          onClick={() => setAsked(true)}
        >
          <MessageSquarePlus aria-hidden />
          {t('stop.reason.add')}
        </Button>
      </div>
    );
  }
  return (
    <textarea
      // biome-ignore lint/a11y/noAutofocus: the button that was pressed is replaced by this field
      autoFocus={asked}
      dir="auto"
      rows={2}
      aria-label={t('stop.reason')}
      placeholder={t('stop.reason.placeholder')}
      value={reason.text}
      readOnly={busy}
      onChange={(event) => reason.save(event.target.value)}
      onKeyDown={onKeyDown}
      className="mb-2 block w-full resize-y rounded-xl border border-border bg-card px-3.5 py-2 leading-relaxed placeholder:text-muted-foreground focus-visible:outline-offset-0"
    />
  );
}
