import { Hand, MessageSquarePlus } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useT } from '@/i18n';
import { createStore, type Store, useStore } from '@/lib/store';
import { Button } from '@/ui/button';
import { Confirm } from '@/ui/Confirm';
import { cn } from '@/ui/cn';

const PRESS_MS = 1000;
/** Shorter presses come from screen readers and switch devices, which send a click without holding. */
const SHORTEST_HUMAN_MS = 40;

interface StopButtonProps {
  debateId: string;
  busy: boolean;
  /** Returns whether the server accepted it. */
  onStop: (reason: string) => Promise<boolean>;
}

const isPressKey = (event: KeyboardEvent) => event.key === ' ' || event.key === 'Enter';

/** Stops the debate after a press of one second, so that a touch by accident does not. A reason may be given. */
export function StopButton({ debateId, busy, onStop }: StopButtonProps) {
  const t = useT();
  const hintId = useId();
  const [pressing, setPressing] = useState(false);
  const [tooShort, setTooShort] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const [asked, setAsked] = useState(false);
  const [stored] = useState(() => createReason(debateId));
  const reason = useStore(stored);
  /** When the press began that has not ended. Times are those of the events, since timers fire late on a busy machine. */
  const pressedAt = useRef<number | null>(null);

  async function stop() {
    if (await onStop(reason.trim())) stored.set('');
  }

  function press(at: number) {
    if (busy || pressedAt.current !== null) return;
    pressedAt.current = at;
    setTooShort(false);
    setPressing(true);
  }

  /** Ends the press; returns how long it was, or null if there is none. */
  function end(at: number): number | null {
    const began = pressedAt.current;
    pressedAt.current = null;
    setPressing(false);
    return began === null ? null : at - began;
  }

  function release(at: number, isPointer: boolean) {
    const lasted = end(at);
    if (lasted === null) return;
    if (lasted >= PRESS_MS) void stop();
    else if (isPointer && lasted < SHORTEST_HUMAN_MS) setConfirming(true);
    else setTooShort(true);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the reason cannot change during a press
  useEffect(() => {
    if (!pressing) return;
    const cancel = () => end(0);
    const onEscape = (event: globalThis.KeyboardEvent) => event.key === 'Escape' && cancel();
    const timer = setTimeout(() => end(0) !== null && void stop(), PRESS_MS);
    window.addEventListener('blur', cancel);
    window.addEventListener('keydown', onEscape, true);
    document.addEventListener('visibilitychange', cancel);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('blur', cancel);
      window.removeEventListener('keydown', onEscape, true);
      document.removeEventListener('visibilitychange', cancel);
    };
  }, [pressing]);

  function onKey(event: KeyboardEvent) {
    if (!isPressKey(event)) return;
    event.preventDefault();
    if (event.type === 'keyup') release(event.timeStamp, false);
    else if (!event.repeat) press(event.timeStamp);
  }

  function onReasonKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== 'Escape') return;
    event.currentTarget.blur();
    if (reason === '') setAsked(false);
  }

  return (
    <div>
      {(asked || reason !== '') && (
        <textarea
          // biome-ignore lint/a11y/noAutofocus: the button that was pressed is replaced by this field
          autoFocus={asked}
          dir="auto"
          rows={2}
          aria-label={t('stop.reason')}
          placeholder={t('stop.reason.placeholder')}
          value={reason}
          readOnly={busy}
          onChange={(event) => stored.set(event.target.value)}
          onKeyDown={onReasonKey}
          className="mb-2 block w-full resize-y rounded-xl border border-border bg-card px-3.5 py-2 leading-relaxed placeholder:text-muted-foreground focus-visible:outline-offset-0"
        />
      )}
      <button
        type="button"
        data-action
        aria-describedby={hintId}
        aria-disabled={busy}
        data-pressing={pressing}
        className={cn(
          'relative flex h-9 max-sm:h-11 w-full touch-manipulation items-center justify-center overflow-hidden rounded-lg border text-[13px] font-medium bg-card transition-colors select-none [-webkit-touch-callout:none] hover:border-destructive/50 hover:text-destructive focus-visible:text-destructive',
          pressing && 'border-destructive/50 text-destructive',
          busy && 'opacity-60',
        )}
        onPointerDown={(event) => event.button === 0 && press(event.timeStamp)}
        onPointerUp={(event) => release(event.timeStamp, true)}
        onPointerLeave={(event) => end(event.timeStamp)}
        onPointerCancel={(event) => end(event.timeStamp)}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={onKey}
        onKeyUp={onKey}
        onBlur={(event) => end(event.timeStamp)}
        // The click that follows a press has a detail.
        onClick={(event) => !busy && event.detail === 0 && setConfirming(true)}
      >
        {pressing && (
          <span
            aria-hidden
            className="press-progress forced-color-adjust-none absolute inset-0 bg-destructive/25"
          />
        )}
        <span className="relative flex items-center gap-2.5 text-balance">
          <Hand aria-hidden className="size-4" />
          {busy ? t('stop.sending') : pressing ? t('stop.holding') : t('stop.hold')}
        </span>
      </button>
      <p id={hintId} className="mt-1.5 flex flex-wrap items-center justify-between gap-x-3 text-xs">
        {/* Both keep their place, so that the button does not move. */}
        <span className="grid min-w-0 flex-1 *:col-start-1 *:row-start-1">
          <span className={cn('text-muted-foreground', tooShort && 'invisible')}>{t('stop.hint')}</span>
          <span className={cn('font-medium text-destructive', !tooShort && 'invisible')}>
            {t('stop.short')}
          </span>
        </span>
        {!asked && reason === '' && (
          <Button
            variant="link"
            size="bare"
            className="gap-1.5! rounded! py-0.5 text-xs"
            onClick={() => setAsked(true)}
          >
            <MessageSquarePlus aria-hidden />
            {t('stop.reason.add')}
          </Button>
        )}
      </p>
      <span role="status" className="sr-only">
        {tooShort ? t('stop.short') : ''}
      </span>
      <Confirm
        open={confirming}
        onClose={() => setConfirming(false)}
        title={t('stop.confirm.title')}
        description={t('stop.confirm.text')}
        confirm={t('stop.confirm.yes')}
        onConfirm={() => void stop()}
      />
    </div>
  );
}

/** The unsent reason for stopping a debate. It survives a reload, and a navigation away. */
function createReason(debateId: string): Store<string> {
  const key = `aweave.stop.${debateId}`;
  return createStore('', {
    read: () => localStorage.getItem(key),
    write: (text) => (text === '' ? localStorage.removeItem(key) : localStorage.setItem(key, text)),
  });
}
