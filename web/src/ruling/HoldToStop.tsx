import { OctagonX } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useT } from '@/i18n';
import { cn } from '@/ui/cn';
import { Confirm } from '@/ui/confirm';
import { Hold, type Release } from './hold';

interface HoldToStopProps {
  busy: boolean;
  onStop: () => void;
}

const isHoldKey = (event: KeyboardEvent) => event.key === ' ' || event.key === 'Enter';

/** Stopping a debate takes a held second, so that nobody does it by brushing the screen. */
export function HoldToStop({ busy, onStop }: HoldToStopProps) {
  const t = useT();
  const hintId = useId();
  const [holding, setHolding] = useState(false);
  const [short, setShort] = useState(false);
  const [asking, setAsking] = useState(false);
  const stop = useRef(onStop);
  stop.current = onStop;
  // A click that ends a press of ours was dealt with when the press ended.
  const pressed = useRef(false);

  const hold = useMemo(
    () =>
      new Hold({
        onHeld: () => stop.current(),
        onChange: setHolding,
      }),
    [],
  );

  useEffect(() => {
    const cancel = () => hold.cancel();
    const onEscape = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape') hold.cancel();
    };
    window.addEventListener('blur', cancel);
    window.addEventListener('keydown', onEscape, true);
    document.addEventListener('visibilitychange', cancel);
    return () => {
      cancel();
      window.removeEventListener('blur', cancel);
      window.removeEventListener('keydown', onEscape, true);
      document.removeEventListener('visibilitychange', cancel);
    };
  }, [hold]);

  function press(at: number) {
    if (busy) return;
    setShort(false);
    hold.press(at);
  }

  function released(release: Release) {
    if (release === 'short') setShort(true);
    if (release === 'synthetic') setAsking(true);
  }

  function onClick(event: MouseEvent) {
    const ours = pressed.current;
    pressed.current = false;
    if (!ours && !busy && event.detail === 0) setAsking(true);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isHoldKey(event)) return;
    event.preventDefault();
    if (!event.repeat) press(event.timeStamp);
  }

  function onKeyUp(event: KeyboardEvent) {
    if (!isHoldKey(event)) return;
    event.preventDefault();
    if (hold.release(event.timeStamp) !== 'nothing') setShort(true);
  }

  return (
    <div>
      <button
        type="button"
        aria-describedby={hintId}
        aria-disabled={busy}
        data-holding={holding}
        className={cn(
          'relative flex h-14 w-full touch-manipulation items-center justify-center overflow-hidden rounded-xl bg-danger-strong text-base font-semibold text-on-strong transition-[scale] select-none [-webkit-touch-callout:none]',
          holding && 'motion-safe:scale-[0.99]',
          busy && 'opacity-60',
        )}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          pressed.current = true;
          press(event.timeStamp);
        }}
        onPointerUp={(event) => released(hold.release(event.timeStamp))}
        onPointerLeave={() => hold.cancel()}
        onPointerCancel={() => hold.cancel()}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={onKeyDown}
        onKeyUp={onKeyUp}
        onBlur={() => hold.cancel()}
        onClick={onClick}
      >
        {holding && <span aria-hidden className="hold-progress absolute inset-0 bg-black/30" />}
        <span className="relative flex items-center gap-2.5">
          <OctagonX aria-hidden className="size-5" />
          {busy ? t('stop.sending') : holding ? t('stop.holding') : t('stop.hold')}
        </span>
      </button>
      <p
        id={hintId}
        className={cn('mt-2 text-center text-xs', short ? 'font-medium text-danger' : 'text-muted')}
      >
        {short ? t('stop.short') : t('stop.hint')}
      </p>
      <span role="status" className="sr-only">
        {short ? t('stop.short') : ''}
      </span>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('stop.confirm.title')}
        description={t('stop.confirm.text')}
        confirm={t('stop.confirm.yes')}
        cancel={t('dialog.cancel')}
        onConfirm={onStop}
      />
    </div>
  );
}
