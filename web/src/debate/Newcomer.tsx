import { useEffect, useRef, useState } from 'react';
import type { Argument } from '@/api/types';
import { useT } from '@/i18n';

/** Says aloud what arrives while the debate is open. */
export function Newcomer({ last }: { last: Argument }) {
  const t = useT();
  const seen = useRef(last.seq);
  const [words, setWords] = useState('');
  useEffect(() => {
    if (last.seq <= seen.current) return;
    seen.current = last.seq;
    setWords(
      t('thread.announce', {
        role: t.word('role', last.role),
        type: t.word('argument', last.type),
        seq: last.seq,
      }),
    );
  }, [last, t]);
  return (
    <p role="log" aria-live="polite" className="sr-only">
      {words}
    </p>
  );
}
