import { useEffect, useRef, useState } from 'react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';

/** Announces each new argument to screen readers. */
export function Announcer({ last }: { last: Argument }) {
  const t = useT();
  const announced = useRef(last.seq);
  const [text, setText] = useState('');
  useEffect(() => {
    if (last.seq <= announced.current) return;
    announced.current = last.seq;
    setText(
      t('thread.announce', {
        role: t.label('role', last.role),
        type: t.label('argument', last.type),
        seq: last.seq,
      }),
    );
  }, [last, t]);
  return (
    <p role="log" aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}
