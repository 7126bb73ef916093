import { useCallback, useEffect, useRef, useState } from 'react';
import { useT } from '@/i18n';
import { debateIdIn, replaceHash, seqInHash, subscribe } from '@/lib/router';
import { toast } from '@/ui/toast';
import type { DebateStore } from './debateStore';
import type { DebateView } from './debateView';
import { rulingsIn } from './ruling/rulingRequest';

/**
 * What the address shows of a debate: that of an argument leads to the debate, that without one to what is to be decided. A ruling
 * that becomes due meanwhile does not take the debate away from who reads it.
 */
export function useDebateAddress(store: DebateStore, view: DebateView) {
  const t = useT();
  /** A new object for each jump, even to the same argument. */
  const [target, setTarget] = useState<{ seq: number } | null>(null);
  const hash = useRef(location.hash);
  const search = useRef(location.search);
  const onJump = useCallback(
    async (seq: number) => {
      if (await store.show(seq)) {
        replaceHash(seq);
        hash.current = location.hash;
        setTarget({ seq });
      } else toast(t('thread.missing', { seq }), 'bad');
    },
    [store, t],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address counts when the debate is opened
  useEffect(() => {
    const seq = seqInHash();
    if (seq !== null) void onJump(seq);
  }, []);

  const due = rulingsIn(view.turns).length > 0;
  const [wantsDecision, setWantsDecision] = useState(due && seqInHash() === null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a decision may be wanted before it is due, as after a Stop
  useEffect(() => {
    if (due) return;
    setWantsDecision(false);
    // What was decided is seen where it was decided.
    if (wantsDecision && view.last.type === 'RULING') setTarget({ seq: view.last.seq });
  }, [due]);

  const { id } = view.debate;
  useEffect(() => {
    const onAddress = () => {
      // A link led to another debate, whose page takes the place of this one.
      if (debateIdIn(location.pathname) !== id) return;
      // A panel or the drawer was opened or closed.
      const within = location.hash === hash.current && location.search !== search.current;
      hash.current = location.hash;
      search.current = location.search;
      if (within) return;
      const seq = seqInHash();
      setWantsDecision(seq === null);
      if (seq !== null) void onJump(seq);
    };
    window.addEventListener('hashchange', onAddress);
    const unsubscribe = subscribe(onAddress);
    return () => {
      window.removeEventListener('hashchange', onAddress);
      unsubscribe();
    };
  }, [onJump, id]);

  return { target, deciding: due && wantsDecision, onJump };
}
